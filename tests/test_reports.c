/* What is made of a run: pages, SARIF, programs that show a fault by themselves, and one report of many. */
#include "helpers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define RUN "run", "--backend", "sim", "-q", "--seed", "7"
#define THIRD "softmax_third(y, x, i32 rows, i32 cols, i32 0)"

/* tests/NAME of the checkout that this program is built in; owned by the aid. */
static const char *checkout(const char *name)
{
  static char path[4][4200];
  static int next;
  char program[4096], *at = path[next++ % 4];
  ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
  ck_assert_int_gt(n, 0);
  program[n] = 0;
  for (int up = 0; up < 5; up++) {
    *strrchr(program, '/') = 0;
    snprintf(at, sizeof path[0], "%s/tests/%s", program, name);
    if (access(at, R_OK) == 0)
      return at;
  }
  ck_abort_msg("no tests/%s", name);
}

static const char *library(void)
{
  static char path[4096];
  return aid_program(path, sizeof path, "tests/kernels/faulty.so");
}

static void python(const char *script, const char *a, const char *b)
{
  char *err;
  int status = aid_run(NULL, &err, "python3", "-c", script, a, b, NULL);
  ck_assert_msg(status == 0, "%s", err);
  free(err);
}

/* A Python that has NumPy. */
static const char *numpy(void)
{
  static const char *const ALL[] = {"python3", "/usr/bin/python3"};
  for (int i = 0; i < 2; i++)
    if (aid_run(NULL, NULL, ALL[i], "-c", "import numpy", NULL) == 0)
      return ALL[i];
  ck_abort_msg("no Python has NumPy: scripts/setup.sh test installs one");
}

/* ---- pages ---- */

/* Nested as it must be, with nothing that runs or that is from elsewhere. argv[2], where it is one, is
 * shown as text. */
static const char A_PAGE[] =
    "import html.parser, sys\n"
    "text = open(sys.argv[1]).read()\n"
    "class Page(html.parser.HTMLParser):\n"
    "    open, seen, data = [], set(), ''\n"
    "    def handle_starttag(self, tag, attrs):\n"
    "        self.seen.add(tag)\n"
    "        for k, v in attrs:\n"
    "            assert not k.startswith('on') and k != 'src', (tag, k)\n"
    "            assert k != 'href' or v[0] == '#' or v.startswith('data:text/plain;base64,'), v\n"
    "        if tag != 'meta': self.open.append(tag)\n"
    "    def handle_endtag(self, tag):\n"
    "        assert self.open.pop() == tag, tag\n"
    "    def handle_data(self, data):\n"
    "        self.data += data\n"
    "p = Page(convert_charrefs=True)\n"
    "p.feed(text)\n"
    "p.close()\n"
    "assert p.open == [] and p.seen <= set('html head meta title style body main h1 h2 h3 span dl "
    "dt "
    "dd p div table caption thead tbody tr th td a article pre'.split()), p.seen\n"
    "assert 'http' not in text.replace('http-equiv', '') and '@import' not in text\n"
    "assert not any(ord(c) < 32 and c != '\\n' for c in text)\n"
    "assert len(sys.argv) < 3 or sys.argv[2] in p.data, p.data\n";

START_TEST(a_page)
{
  const char *path = aid_path("report.html");
  free(OUTPUT(0, RUN, "--cases", "8", "--format", "html", "-o", path, "add", "softmax"));
  python(A_PAGE, path, "2 ops passed");
  char *text = aid_read(path, NULL);
  ck_assert_text(text, "by class of values");
  ck_assert_text(text, "<th scope=\"col\">uniform</th>");
  ck_assert_text(text, "class=\"bar\" style=\"--r:");
  ck_assert_text(text, ">exact</td>");
  free(text);
  text = OUTPUT(1, "replay", "--backend", "sim", "-q", "add n=0", "--format", "html");
  ck_assert_text(text, "1 of 1 ops are suspect");
  free(text);
}
END_TEST

START_TEST(a_page_of_a_failure)
{
  const char *path = aid_path("fail.html");
  free(OUTPUT(1, "run", "-q", "softmax", "--cases", "9", "--set", "rows=4,cols=9", "--kernel",
              library(), "--call", THIRD, "--format", "html", "-o", path));
  python(A_PAGE, path, "diffcheck replay 'softmax rows=1 cols=3");
  char *text = aid_read(path, NULL);
  ck_assert_text(text, "1 of 1 ops failed");
  ck_assert_text(text, "y [0, &middot;], along axis 1"); /* of the case made small */
  ck_assert_text(text, "<tr class=\"it\"><th scope=\"row\">2</th>");
  ck_assert_text(text, ", along axis 0"); /* of the case as it was found */
  ck_assert_text(text, "--call &#39;softmax_third(y, x,");
  ck_assert_text(text, "download=\"softmax_1_1.py\"");
  free(text);
}
END_TEST

/* Names that are markup, and a terminal's. */
START_TEST(a_page_is_not_written_by_others)
{
  const char *path = aid_path("evil.html"), *evil = aid_path("<b onclick='x'>&\".so");
  size_t n;
  char *bytes = aid_read(library(), &n);
  aid_write(evil, bytes, n);
  free(bytes);
  free(OUTPUT(1, "run", "-q", "softmax", "--cases", "9", "--kernel", evil, "--call", THIRD,
              "--format", "html", "-o", path));
  python(A_PAGE, path, "<b onclick=");
  free(OUTPUT(1, "run", "-q", "softmax", "--cases", "9", "--kernel", evil, "--call", THIRD,
              "--format", "sarif", "-o", path));
  python("import json, sys\n"
         "r = json.load(open(sys.argv[1]))['runs'][0]['results'][0]\n"
         "uri = r['locations'][0]['physicalLocation']['artifactLocation']['uri']\n"
         "assert uri.startswith('file:///') and "
         "uri.endswith('%3Cb%20onclick%3D%27x%27%3E%26%22.so'), uri\n",
         path, NULL);
  char text[9000];
  const char *file = aid_path("evil.kernel");
  snprintf(text, sizeof text,
           "kernel: <script>x()</script>\nop: softmax\nlibrary: %s\ncall: " THIRD "\n", library());
  aid_write(file, text, strlen(text));
  free(OUTPUT(1, "run", "-q", "--cases", "9", "--kernels", file, "--format", "html", "-o", path));
  python(A_PAGE, path, "variant <script>x()</script>: ");
}
END_TEST

START_TEST(judged)
{
  const int64_t shape[2] = {2, 3};
  const float x[6] = {1, 2, 3, 4, 5, 6}, bad[6] = {1, 2, 3, 4, 5.5f, 6};
  const char *a = aid_tensor("x.npy", NPY_F4, 2, shape, x), *path = aid_path("judged.html");
  const char *b = aid_tensor("bad.npy", NPY_F4, 2, shape, bad);
  char *text = OUTPUT(1, "judge", "copy", a, "--got", b, "--format", "html");
  ck_assert_text(text, "diffcheck: <span class=\"FAIL\">copy: FAIL");
  ck_assert_text(text, "y [&middot;, 1], along axis 0");
  ck_assert_text(text,
                 "<tr class=\"it\"><th scope=\"row\">1</th><td>5</td><td class=\"wrong\">5.5</td>");
  aid_write(path, text, strlen(text));
  python(A_PAGE, path, "1 failed");
  free(text);
  free(OUTPUT(0, "judge", "copy", a, "--got", a, "--format", "html"));
  text = OUTPUT(1, "judge", "copy", a, "--got", b, "--format", "sarif");
  ck_assert_text(text, "bad.npy");
  ck_assert_text(text, "\"ruleId\": \"bits\"");
  free(text);
  text = OUTPUT(0, "judge", "copy", a, "--got", a, "--format", "sarif");
  ck_assert_text(text, "\"results\": []");
  free(text);
}
END_TEST

/* ---- SARIF ---- */

static const char A_LOG[] =
    "import json, sys\n"
    "log = json.load(open(sys.argv[1]))\n"
    "assert log['version'] == '2.1.0' and 'sarif-2.1.0' in log['$schema']\n"
    "run, = log['runs']\n"
    "rules = [r['id'] for r in run['tool']['driver']['rules']]\n"
    "assert run['invocations'][0]['executionSuccessful'] and len(set(rules)) == len(rules)\n"
    "for r in run['results']:\n"
    "    assert rules[r['ruleIndex']] == r['ruleId'] and r['message']['text'] and r['level']\n"
    "    l, = r['locations']\n"
    "    print(r['ruleId'], r['level'], l['logicalLocations'][0]['fullyQualifiedName'],\n"
    "          l['physicalLocation']['artifactLocation'].get('uriBaseId'),\n"
    "          l['physicalLocation']['artifactLocation']['uri'],\n"
    "          l['physicalLocation'].get('region', {}).get('startLine'), "
    "r['properties'].get('replay'))\n";

static char *logged(const char *path)
{
  char *out, *err;
  int status = aid_run(&out, &err, "python3", "-c", A_LOG, path, NULL);
  ck_assert_msg(status == 0, "%s", err);
  free(err);
  return out;
}

START_TEST(sarif)
{
  char text[9000];
  const char *path = aid_path("log.sarif"), *file = aid_path("two.kernel");
  snprintf(text, sizeof text,
           "# two\nkernel: good\nop: softmax\nlibrary: %s\ncall: softmax_third(y, x, i32 rows, i32 "
           "cols, i32 1)\n\nkernel: bad\nop: softmax\nlibrary: %s\ncall: %s\n",
           library(), library(), THIRD);
  aid_write(file, text, strlen(text));
  free(OUTPUT(1, "run", "-q", "--cases", "9", "--kernels", file, "--format", "sarif", "-o", path));
  char *out = logged(path);
  ck_assert_int_eq(strncmp(out, "bound error softmax/bad None file:///", 37), 0);
  ck_assert_text(out, "two.kernel 7 diffcheck replay 'softmax rows=1 cols=3 ");
  ck_assert_ptr_eq(strchr(strchr(out, '\n') + 1, '\n'), NULL); /* and nothing else */
  free(out);
  free(OUTPUT(1, "replay", "--backend", "sim", "-q", "add n=0", "--format", "sarif", "-o", path));
  out = logged(path);
  ck_assert_text(out, "suspect warning add %SRCROOT% cuda/elementwise/elementwise.cu None None");
  free(out);
  free(OUTPUT(0, RUN, "add", "--cases", "3", "--format", "sarif", "-o", path));
  out = logged(path);
  ck_assert_str_eq(out, "");
  free(out);
  ck_assert_int_eq(access(checkout("../cuda/elementwise/elementwise.cu"), R_OK), 0);
}
END_TEST

/* Every fault has a rule: one that had none would have the index -1. */
START_TEST(every_fault_has_a_rule)
{
  const char *path = aid_path("rules.sarif");
  free(OUTPUT(0, RUN, "add", "--cases", "3", "--format", "sarif", "-o", path));
  char *text = aid_read(path, NULL), id[64];
  for (int f = DC_BOUND_EXCEEDED; f < DC_NO_WORKER; f++) {
    snprintf(id, sizeof id, "\"id\": \"%s\"", dc_fault_name((dc_fault)f));
    ck_assert_text(text, id);
  }
  free(text);
}
END_TEST

/* ---- programs ---- */

#define LINE "softmax rows=2 cols=5 values=uniform seed=3 misaligned=1"
#define KERNEL "--kernel", library(), "--call"

START_TEST(python_shows_it)
{
  static const struct {
    const char *line, *call, *says;
    int status;
  } ALL[] = {
      {LINE, THIRD, "must lie within", 1},
      {"scale n=4 c=0.1 seed=2 misaligned=2", "scale_third(y, a, f32 c, i64 n, work(n*8), null)",
       "must lie within", 1},
      {"gather_rows rows=4 cols=2 k=5 indices=random seed=9",
       "gather_third(y, x, i32 idx, i32 rows, i32 cols, i32 k)", "must lie within", 1},
      {"relu n=5 values=special seed=1", "relu_dies(y, a, i64 n)", "", 1006 /* SIGABRT */},
  };
  const char *interpreter = numpy(), *path = aid_path("fault.py");
  char *out;
  for (size_t i = 0; i < sizeof ALL / sizeof ALL[0]; i++) {
    unlink(path);
    free(OUTPUT(1, "replay", "-q", "--shrink", "0", ALL[i].line, KERNEL, ALL[i].call, "--script",
                path));
    int status = aid_run(&out, NULL, interpreter, path, NULL);
    ck_assert_msg(status == ALL[i].status, "%s: %d: %s", ALL[i].line, status, out);
    ck_assert_text(out, ALL[i].says);
    free(out);
  }
  /* the same program, of a kernel that is right */
  free(OUTPUT(1, "replay", "-q", LINE, KERNEL, THIRD, "--script", path));
  char *text = aid_read(path, NULL), *last = strstr(text, "ctypes.c_int32(0))");
  ck_assert_ptr_ne(last, NULL);
  last[strlen("ctypes.c_int32(")] = '1';
  aid_write(path, text, strlen(text));
  free(text);
  ck_assert_int_eq(aid_run(&out, NULL, interpreter, path, NULL), 0);
  ck_assert_text(out, "0 of 3 elements are wrong");
  free(out);
}
END_TEST

/* The program that a page holds is that of replay. */
START_TEST(a_page_holds_it)
{
  const char *page = aid_path("fail.html"), *path = aid_path("same.py");
  free(OUTPUT(1, "replay", "-q", LINE, KERNEL, THIRD, "--script", path, "--format", "html", "-o",
              page));
  python(
      "import base64, re, sys\n"
      "held = re.search('href=\"data:text/plain;base64,([^\"]*)\"', open(sys.argv[1]).read())[1]\n"
      "assert base64.b64decode(held, validate=True) == open(sys.argv[2], 'rb').read()\n",
      page, path);
}
END_TEST

START_TEST(cuda_shows_it)
{
  const char *path = aid_path("fault.cu"), *program = aid_path("fault"), *how = "-I";
  char *out, *err;
  free(OUTPUT(1, "replay", "-q", LINE, "--source", checkout("plain/third.cu"), "--launch",
              "softmax_third<<<rows, 32, 4>>>(y, x, i32 cols)", "--script", path));
  for (int right = 0; right < 2; right++) {
    int status = aid_run(NULL, &err, "g++", "-x", "c++", "-std=c++17", "-Wall", "-Werror",
                         right ? "-DRIGHT" : "-DWRONG", how, checkout("host_cuda"), "-o", program,
                         path, NULL);
    ck_assert_msg(status == 0, "%s", err);
    free(err);
    ck_assert_int_eq(aid_run(&out, NULL, program, NULL), right ? 0 : 1);
    ck_assert_text(out, right ? "y: 0 of 3 elements are wrong" : "y[2] = ");
    free(out);
  }
}
END_TEST

START_TEST(programs_refused)
{
  const char *path = aid_path("none.py");
  REFUSED("kernel of your own", "--kernel", "replay", "-q", "add n=3", "--script", path);
  REFUSED("must end in .py", "none.cu", "replay", LINE, KERNEL, THIRD, "--script", "none.cu");
  REFUSED("must end in .py", "--script '.py'", "replay", LINE, KERNEL, THIRD, "--script", ".py");
  REFUSED("must end in .cu", "none.py", "replay", LINE, "--source", checkout("plain/third.cu"),
          "--launch", "softmax_third<<<rows, 32>>>(y, x, i32 cols)", "--script", path);
  REFUSED("absent", "No such file", "replay", LINE, KERNEL, THIRD, "--script", "absent/x.py");
  REFUSED("is the file of -o", path, "replay", LINE, KERNEL, THIRD, "--script", path, "-o", path);
  REFUSED("--script", "run does not take it", "run", "add", "--script", path);
  char *err;
  ck_assert_int_eq(aid_run(NULL, &err, "diffcheck", "replay", "-q", "softmax rows=2 cols=2 seed=3",
                           KERNEL, THIRD, "--script", path, NULL),
                   2);
  ck_assert_text(err, "the case did not fail");
  free(err);
  ck_assert_int_eq(aid_run(NULL, &err, "diffcheck", "replay", "-q", "--shrink", "0",
                           "softmax rows=3 cols=65536 values=uniform seed=3", KERNEL, THIRD,
                           "--script", path, NULL),
                   2);
  ck_assert_text(err, "more than 65536 elements");
  free(err);
  ck_assert_int_ne(access(path, F_OK), 0);
}
END_TEST

/* ---- shards ---- */

/* The lines of ops, without what hangs on the clock. */
static const char SAME[] = "import json, sys\n"
                           "def ops(path):\n"
                           "    rows = [json.loads(l) for l in open(path)]\n"
                           "    ops = [r for r in rows if r['event'] == 'op']\n"
                           "    for r in ops: del r['seconds']\n"
                           "    return ops, rows[-1]['failed'], rows[-1]['cases']\n"
                           "a, b = ops(sys.argv[1]), ops(sys.argv[2])\n"
                           "assert a == b, (a, b)\n";

START_TEST(shards_make_one)
{
  const char *whole = aid_path("whole.jsonl"), *merged = aid_path("merged.jsonl");
  const char *part[3] = {aid_path("1.jsonl"), aid_path("2.jsonl"), aid_path("3.jsonl")};
  char shard[24];
  free(OUTPUT(0, RUN, "--cases", "32", "add_vjp", "softmax", "--format", "jsonl", "-o", whole));
  for (int i = 0; i < 3; i++) {
    snprintf(shard, sizeof shard, "%d/3", i + 1);
    free(OUTPUT(0, RUN, "--cases", "32", "add_vjp", "softmax", "--format", "jsonl", "-o", part[i],
                "--shard", shard));
  }
  free(OUTPUT(0, "merge", part[1], part[2], part[0], "--format", "jsonl", "-o", merged));
  python(SAME, whole, merged);
  char *out = OUTPUT(0, "merge", part[1], part[2], part[0]);
  ck_assert_text(out, "2 ops: 2 passed; 64 cases");
  free(out);
  out = OUTPUT(0, "merge", whole, "--format", "tap"); /* into another format */
  ck_assert_text(out, "ok 2 - softmax");
  free(out);
  free(OUTPUT(0, "merge", merged)); /* it is whole, too */
  python("import json, sys\n"
         "a = [json.loads(l)['cases'] for l in open(sys.argv[1]) if '\"op\":\"softmax\"' in l]\n"
         "assert a == [10], a\n",
         part[2], NULL);
  REFUSED("is missing", "shard 1/3", "merge", part[1], part[2]);
  REFUSED("is missing", "shard 3/3", "merge", part[1], part[0]);
  REFUSED("is shard 2/3, as", "2.jsonl", "merge", part[1], part[2], part[0], part[1]);
  REFUSED("shards", "not of one run", "merge", part[0], whole);
  REFUSED("is one of the reports", part[0], "merge", part[0], part[1], part[2], "-o", part[0]);
}
END_TEST

/* A kernel that is not ours, whose failures are in all shards. */
START_TEST(shards_that_fail)
{
#define FAIL                                                                                  \
  "run", "-q", "softmax", "--cases", "12", "--set", "rows=2,cols=7", "--max-failures", "100", \
      "--shrink", "0", KERNEL, THIRD, "--format", "jsonl", "-o"
  const char *whole = aid_path("whole.jsonl"), *merged = aid_path("merged.jsonl");
  const char *part[2] = {aid_path("1.jsonl"), aid_path("2.jsonl")};
  free(OUTPUT(1, FAIL, whole));
  free(OUTPUT(1, FAIL, part[0], "--shard", "1/2"));
  free(OUTPUT(1, FAIL, part[1], "--shard", "2/2"));
  free(OUTPUT(1, "merge", part[0], part[1], "--format", "jsonl", "-o", merged));
  python(SAME, whole, merged);
  char *out = OUTPUT(1, "merge", part[0], part[1], "--format", "html");
  ck_assert_text(out, "1 of 1 ops failed");
  ck_assert_text(out, "<tr class=\"it\">");
  ck_assert_text(out, "--kernel");
  free(out);
  out = OUTPUT(1, "merge", part[0], part[1], "--format", "sarif");
  ck_assert_text(out, "faulty.so");
  free(out);
}
END_TEST

/* Line by line other than it was. */
static const char *changed(const char *path, const char *from, const char *to)
{
  const char *other = aid_path("changed.jsonl");
  char *text = aid_read(path, NULL), *at = strstr(text, from), *made;
  ck_assert_msg(at != NULL, "%s", from);
  *at = 0;
  ck_assert_int_ge(asprintf(&made, "%s%s%s", text, to, at + strlen(from)), 0);
  aid_write(other, made, strlen(made));
  free(made);
  free(text);
  return other;
}

START_TEST(reports_refused)
{
  static const struct {
    const char *from, *to, *part, *and;
  } WRONG[] = {
      {"\"version\":\"0.1\"", "\"version\":\"0.2\"", "is of version 0.2", "and this is 0.1"},
      {"\"plan\"", "\"plam\"", "line 1", "older than"},
      {"{\"event\":\"start\"", "{\"event\":\"op\"", "line 1", "begins with its start"},
      {"\"seed\":\"7\"", "\"seed\":\"-7\"", "line 1", "seed"},
      {"\"ops\":1", "\"ops\":2", "1 of 2 ops", "did not end in order"},
      {"\"ops\":1", "\"ops\":1000000000", "line 1", "ops: must be"},
      {"\"op\":\"add\"", "\"op\":\"ad\\u001b\"", "line 2", "op: 'ad\\x1b': unknown"},
      {"\"op\":\"add\"", "\"op\":\"sub\"", "line 2", "is of add"},
      {"\"runs\":", "\"runs\":-", "line 2", "runs: must be a whole number"},
      {"\"runs\":", "\"runs\":9999999999999999999999,\"x\":", "line 2", "JSON"},
      {"\"worst_case\":\"add n=", "\"worst_case\":\"add n=99999999999999999999", "line 2",
       "worst_case"},
      {"\"worst\":{\"output\":\"y\"", "\"worst\":{\"output\":\"a\"", "line 2", "no output of add"},
      {"\"index\":", "\"index\":99999999", "line 2", "no such element"},
      {"\"by_class\":{\"", "\"by_class\":{\"uniform\":{},\"", "line 2", ""},
      {"\"failures\":[]", "\"failures\":[1]", "line 2", "failures"},
      {"{\"event\":\"end\"", "{\"event\":\"end\"}\n{\"event\":\"end\"", "line 4",
       "follows the end"},
      {"{\"event\":\"end\"", "{\"event\":\"END\"", "line 3", "unknown"},
      {"{\"event\":\"end\"", "\n{\"event\":\"end\"", "line 3", "no JSON object"},
  };
  char path[4096]; /* many are asked for */
  snprintf(path, sizeof path, "%s", aid_path("report.jsonl"));
  free(OUTPUT(0, RUN, "add", "--cases", "3", "--format", "jsonl", "-o", path));
  for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++)
    REFUSED(WRONG[i].part, WRONG[i].and, "merge", changed(path, WRONG[i].from, WRONG[i].to));
  /* cut off anywhere */
  size_t n;
  char *text = aid_read(path, &n);
  for (size_t k = 0; k < n - 1; k += n / 40 + 1) {
    const char *cut = aid_path("cut.jsonl");
    aid_write(cut, text, k);
    REFUSED("cut.jsonl", "", "merge", cut);
  }
  free(text);
  REFUSED("REPORT is missing", "", "merge");
  REFUSED("absent.jsonl", "No such file", "merge", "absent.jsonl");
  REFUSED("--format", "did you mean", "merge", path, "--format", "htm");
  REFUSED("is shard 1/1, as", "", "merge", path, path);
}
END_TEST

START_TEST(shards_refused)
{
  static const char *const BAD[] = {"0/3",  "4/3",  "1",   "1/",  "/2",
                                    "1/2x", "-1/3", "1/0", "a/b", "1/99999999999999999999"};
  for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++)
    REFUSED("--shard", BAD[i], "run", "add", "--shard", BAD[i]);
  REFUSED("--seed random", "--shard", "run", "add", "--seed", "random", "--shard", "1/2");
  REFUSED("there are 3 cases", "at most one shard a case", "run", "add", "--cases", "3", "--shard",
          "1/4");
  const char *a = aid_path("a.jsonl"), *b = aid_path("b.jsonl");
#define PART(n, path, ...)                                                                  \
  free(OUTPUT(0, "run", "--backend", "sim", "-q", "--cases", "6", "--shard", n, "--format", \
              "jsonl", "-o", path, __VA_ARGS__))
  PART("1/2", a, "add");
  PART("2/2", b, "add", "--seed", "8");
  REFUSED("seed", "is '8'", "merge", a, b);
  PART("2/2", b, "add", "--set", "n=5");
  REFUSED("options", "--set n=5", "merge", a, b);
  PART("2/2", b, "sub");
  REFUSED("op: is 'sub'", "not of one run", "merge", a, b);
  PART("2/2", b, "add", "sub");
  REFUSED("ops: is '2'", "not of one run", "merge", a, b);
  PART("2/3", b, "add");
  REFUSED("shards: is '3'", "not of one run", "merge", a, b);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("reports");
  TCase *t = tcase_create("reports");
  suite_add_tcase(s, t);
  tcase_set_timeout(t, 300);
  tcase_add_test(t, a_page);
  tcase_add_test(t, a_page_of_a_failure);
  tcase_add_test(t, a_page_is_not_written_by_others);
  tcase_add_test(t, judged);
  tcase_add_test(t, sarif);
  tcase_add_test(t, every_fault_has_a_rule);
  tcase_add_test(t, python_shows_it);
  tcase_add_test(t, a_page_holds_it);
  tcase_add_test(t, cuda_shows_it);
  tcase_add_test(t, programs_refused);
  tcase_add_test(t, shards_make_one);
  tcase_add_test(t, shards_that_fail);
  tcase_add_test(t, reports_refused);
  tcase_add_test(t, shards_refused);
  return aid_main(s);
}
