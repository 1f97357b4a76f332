/* examples/gpt: what it learns and writes, on every back end; that stopping and going on changes no bit; files
 * that others wrote, and files that lie. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "helpers.h"

/* The two ends of the choices: GPT-2's, and those that came after it, keys being shared by two heads. */
static const char *const KIND[2] = {"--layers 2 --width 8 --heads 2 --context 12 --batch 2",
                                    "--layers 2 --width 16 --heads 4 --kv-heads 2 --context 12 "
                                    "--batch 2 --positions rope --norm rms "
                                    "--mlp swiglu"};
static const char *const BACKEND[2] = {"ref", "sim"};

static const char *gpt(void)
{
  static char path[4200];
  return aid_program(path, sizeof path, "gpt");
}

/* Words that follow each other in one way only. */
static const char *some_text(void)
{
  const char *path = aid_path("text"), word[] = "the quick fox.\n";
  FILE *f = fopen(path, "w");
  ck_assert_ptr_nonnull(f);
  for (int i = 0; i < 120; i++)
    fputs(word, f);
  fclose(f);
  return path;
}

/* The number after `word` in the line of that step. */
static double said(const char *out, int step, const char *word)
{
  char line[32];
  snprintf(line, sizeof line, "step %d:", step);
  const char *at = strstr(out, line);
  ck_assert_msg(at && (at = strstr(at, word)), "no '%s' and '%s' in: %s", line, word, out);
  return strtod(at + strlen(word), NULL);
}

/* ref and sim round each step apart: the first losses, of ln 256 = 5.5 or so, agree to the four places that
 * are shown. That no step of the simulator leaves the bound of its op is what the shadow says. */
START_TEST(back_ends_agree)
{
  char *ref, *sim, *shadow;
  const char *text = some_text();
  ref =
      aid_shell(0, "'%s' --backend ref --text '%s' %s --steps 2 --every 1", gpt(), text, KIND[_i]);
  sim = aid_shell(0, "PROOFMARK_BACKEND=sim '%s' --text '%s' %s --steps 2 --every 1", gpt(), text,
                  KIND[_i]);
  for (int step = 1; step <= 2; step++) {
    ck_assert(fabs(said(ref, step, ": loss ") - log(256)) < 0.2);
    ck_assert(said(ref, step, ": loss ") == said(sim, step, ": loss "));
    ck_assert(said(ref, step, "back ") == said(sim, step, "back "));
  }
  ck_assert_text(ref, "back end ref (");
  ck_assert_text(sim, "back end sim (");
  shadow =
      aid_shell(0, "'%s' --backend shadow:sim --text '%s' %s --steps 2 --prompt the --tokens 2",
                gpt(), text, KIND[_i]);
  ck_assert_text(shadow, " 0 outside of their bounds");
  free(ref);
  free(sim);
  free(shadow);
}
END_TEST

START_TEST(it_learns)
{
  char image[600], *out;
  snprintf(image, sizeof image, "%s", aid_path("loss.svg"));
  out =
      aid_shell(0,
                "'%s' --backend ref --text '%s' %s --steps 80 --every 40 --rate 0.02 --curve '%s' "
                "--prompt 'he q' --tokens 8 --temperature 0",
                gpt(), some_text(), KIND[_i], image);
  ck_assert(said(out, 80, ": loss ") < 1);
  ck_assert(said(out, 80, "back ") < 1);
  ck_assert(said(out, 80, "back ") < said(out, 40, "back "));
  ck_assert(said(out, 80, "; ") > 0);
  ck_assert_text(out, "\nhe quick fox\n");
  free(out);
  /* all steps in one line, two points in the other, within the frame */
  int status = aid_run(NULL, &out, "python3", "-c",
                       "import sys, xml.etree.ElementTree as e\n"
                       "lines = [l.get('points').split() for l in e.parse(sys.argv[1]).iter() if "
                       "'polyline' in l.tag]\n"
                       "assert [len(l) for l in lines] == [80, 2], lines\n"
                       "for x, y in (p.split(',') for l in lines for p in l):\n"
                       "  assert 60 <= float(x) <= 620 and 30 <= float(y) <= 340, (x, y)\n"
                       "y = [float(p.split(',')[1]) for p in lines[0]]\n"
                       "assert y[0] < y[40] < y[79], y\n",
                       image, NULL);
  ck_assert_msg(status == 0, "%s", out);
  free(out);
}
END_TEST

/* Weights, moments, and the count of steps. */
START_TEST(it_goes_on)
{
  char whole[600], part[600], rest[600];
  const char *text = some_text();
  size_t n, m;
  snprintf(whole, sizeof whole, "%s", aid_path("whole"));
  snprintf(part, sizeof part, "%s", aid_path("part"));
  snprintf(rest, sizeof rest, "%s", aid_path("rest"));
  for (int b = 0; b < 2; b++) {
    char run[5000];
    snprintf(run, sizeof run, "'%s' --backend %s --text '%s' --seed 4 --batch 2", gpt(), BACKEND[b],
             text);
    free(aid_shell(0, "%s %s --steps 5 --save '%s'", run, KIND[_i], whole));
    free(aid_shell(0, "%s %s --steps 2 --save '%s'", run, KIND[_i], part));
    free(aid_shell(0, "%s --load '%s' --steps 3 --save '%s'", run, part, rest));
    char *x = aid_read(whole, &n), *y = aid_read(rest, &m), *z = aid_read(part, NULL);
    ck_assert_uint_eq(n, m);
    ck_assert_int_eq(memcmp(x, y, n), 0);
    ck_assert_int_ne(memcmp(x, z, n), 0);
    free(x);
    free(y);
    free(z);
  }
  ck_assert_int_ne(access(aid_path("whole.part"), F_OK), 0);
}
END_TEST

START_TEST(cached_or_not)
{
  char model[600];
  snprintf(model, sizeof model, "%s", aid_path("model"));
  free(aid_shell(0, "'%s' --text '%s' %s --steps 12 --rate 0.02 --save '%s'", gpt(), some_text(),
                 KIND[_i], model));
  for (int b = 0; b < 2; b++)
    for (int warm = 0; warm < 2; warm++) {
      char run[5000];
      snprintf(run, sizeof run,
               "'%s' --backend %s --load '%s' --prompt 'the' --tokens 9 --seed 3 --temperature %d",
               gpt(), BACKEND[b], model, warm);
      char *x = aid_shell(0, "%s", run), *y = aid_shell(0, "%s --no-cache", run);
      ck_assert_str_eq(x, y);
      char *z = aid_shell(0, "%s --seed 5", run);
      ck_assert_int_eq(strcmp(x, z) == 0, !warm); /* what is drawn is drawn by the seed */
      free(x);
      free(y);
      free(z);
    }
}
END_TEST

/* Losses are of the composed attention on what is learned, and of sdpa on what is kept back. In a text of two
 * letters, by turns, a row is one of two; half of each of both losses' rows begin with either (which that seed
 * and that length see to), and at a rate of 0 the weights are the same: so are the losses, to the four places shown. */
START_TEST(composed_or_sdpa)
{
  char model[600], *out;
  const char *path = aid_path("turns");
  FILE *f = fopen(path, "w");
  ck_assert_ptr_nonnull(f);
  for (int i = 0; i < 260; i++)
    fputs("te", f);
  fclose(f);
  snprintf(model, sizeof model, "%s", aid_path("model"));
  free(aid_shell(0, "'%s' --text '%s' %s --steps 12 --rate 0.05 --save '%s'", gpt(), some_text(),
                 KIND[_i], model));
  out = aid_shell(0, "'%s' --load '%s' --text '%s' --steps 1 --rate 0 --batch 2 --seed 1", gpt(),
                  model, path);
  ck_assert_msg(fabs(said(out, 13, ": loss ") - said(out, 13, "back ")) < 1.5e-4, "%s", out);
  free(out);
}
END_TEST

/* ---- what others have ---- */

static void refused(const char *bytes, size_t n, const char *words)
{
  const char *path = aid_path("bad");
  aid_write(path, bytes, n);
  char *err = aid_shell(2, "'%s' --load '%s' --heads 2 --prompt a --tokens 1", gpt(), path);
  ck_assert_text(err, "gpt: ");
  ck_assert_text(err, "bad: ");
  ck_assert_text(err, words);
  free(err);
}

/* A second matrix for the logits is wte.weight again, to the last bit. */
static void other_head(const char *model)
{
  size_t n;
  char *bytes = aid_read(model, &n), *at;
  const size_t header = (size_t)(unsigned char)bytes[0] + 256 * (size_t)(unsigned char)bytes[1];
  const char *const place = "\"data_offsets\": [";
  ck_assert_ptr_nonnull(at = memmem(bytes, n, "\"lm_head.weight\"", 16));
  ck_assert_ptr_nonnull(at = strstr(at, place));
  bytes[8 + header + strtoul(at + strlen(place), NULL, 10)] ^= 1;
  refused(bytes, n, "'lm_head.weight' is not 'wte.weight' again");
  free(bytes);
}

/* The first loss, of the composed attention, and what is written, of decode_sdpa and sdpa, against a forward pass
 * in NumPy. */
START_TEST(as_others_have_it)
{
  static const char *const cached[2] = {"", "--no-cache"};
  static const struct {
    const char *kind, *words;
    int heads;
  } all[] = {
      {"F32", "2 heads (2 of keys), width 8, context 24, learned positions, layer norm, gelu", 2},
      {"F16", "2 heads (2 of keys), width 8, context 24, learned positions, layer norm, gelu", 2},
      {"rope", "4 heads (2 of keys), width 16, context 24, rope, rms norm, swiglu", 4}};
  char model[600], text[600], run[5000], *want, *got, *err;
  snprintf(model, sizeof model, "%s", aid_path("model"));
  snprintf(text, sizeof text, "%s", some_text());
  int status = aid_run(&want, &err, aid_numpy(), "tests/gpt_reference.py", model, all[_i].kind,
                       text, "To be", "12", NULL);
  ck_assert_msg(status == 0, "%s", err);
  free(err);
  snprintf(run, sizeof run, "'%s' --load '%s' --heads %d --context 24", gpt(), model,
           all[_i].heads);
  for (int b = 0; b < 4; b++) {
    got = aid_shell(0, "%s --backend %s --prompt 'To be' --tokens 12 --temperature 0 %s", run,
                    BACKEND[b / 2], cached[b % 2]);
    ck_assert_text(got, all[_i].words);
    ck_assert_str_eq(strchr(got, '\n'), strchr(want, '\n'));
    free(got);
  }
  for (int b = 0; b < 2; b++) { /* learned from, and with moments then */
    got = aid_shell(0, "%s --backend %s --text '%s' --steps 1 --batch 2 --save '%s'", run,
                    BACKEND[b], text, aid_path("learned"));
    ck_assert_msg(fabs(said(got, 1, ": loss ") - strtod(want, NULL)) < 1e-4, "%s is not %s", got,
                  want);
    free(got);
    free(aid_shell(0, "'%s' --load '%s' --prompt a --tokens 1", gpt(), aid_path("learned")));
  }
  free(want);
  err = aid_shell(2, "'%s' --load '%s' --prompt a", gpt(), model);
  ck_assert_text(err, "give --heads");
  free(err);
  if (_i == 1)
    other_head(model);
  if (all[_i].heads == 4)
    return;
  err = aid_shell(2, "'%s' --load '%s' --heads 2 --context 12", gpt(), model);
  ck_assert_text(err, "has learned 24 positions, not --context 12");
  free(err);
  err = aid_shell(2, "%s --prompt abc --tokens 22", run);
  ck_assert_text(err, "the model has learned 24 positions");
  free(err);
}
END_TEST

/* ---- files that lie ---- */

/* A header, and so many bytes of data. */
static void lying(const char *header, size_t data, const char *words)
{
  const size_t n = strlen(header);
  char *bytes = calloc(8 + n + data, 1);
  ck_assert_ptr_nonnull(bytes);
  bytes[0] = (char)(n & 255);
  bytes[1] = (char)(n >> 8);
  memcpy(bytes + 8, header, n);
  refused(bytes, 8 + n + data, words);
  free(bytes);
}

#define T(name, dtype, shape, at) \
  "\"" name "\":{\"dtype\":\"" dtype "\",\"shape\":" shape ",\"data_offsets\":" at "}"

START_TEST(headers_that_lie)
{
  static const struct {
    const char *header;
    size_t data;
    const char *words;
  } all[] = {
      {"{", 0, "its header is no JSON"},
      {"[]", 0, "its header is no JSON object"},
      {"{}", 4, "its tensors have 0 bytes, and 4 stand in the file"},
      {"{}", 0, "must have a matrix 'wte.weight'"},
      {"{" T("a", "F32", "[1]", "[0,4]") "," T("a", "F32", "[1]", "[0,4]") "}", 4, "no JSON: dup"},
      {"{" T("a", "F31", "[1]", "[0,4]") "}", 4, "'a': its dtype is 'F31'"},
      {"{\"a\":{\"shape\":[1],\"data_offsets\":[0,4]}}", 4, "'a': its dtype is ''"},
      {"{\"a\":7}", 4, "'a': its dtype is ''"},
      {"{" T("a", "F32", "1", "[0,4]") "}", 4, "'a': shape must be a list"},
      {"{" T("a", "F32", "[1,1,1,1,1,1,1,1,1]", "[0,4]") "}", 4, "at most 8 sizes"},
      {"{" T("a", "F32", "[-1]", "[0,4]") "}", 4, "'a': shape must have whole numbers"},
      {"{" T("a", "F32", "[1.5]", "[0,4]") "}", 4, "'a': shape must have whole numbers"},
      {"{" T("a", "F32", "[4294967296,4294967296]", "[0,4]") "}", 4, "'a': its shape has more"},
      {"{" T("a", "F32", "[4611686018427387904]", "[0,0]") "}", 0, "'a': its shape has more"},
      {"{" T("a", "F32", "[99999999999999999999]", "[0,4]") "}", 4, "its header is no JSON"},
      {"{" T("a", "F32", "[1]", "[0,8]") "}", 8,
       "'a': data_offsets [0, 8] have 8 bytes, its shape has 4"},
      {"{" T("a", "F32", "[1]", "[4,0]") "}", 4, "'a': data_offsets must be two"},
      {"{" T("a", "F32", "[1]", "[0]") "}", 4, "'a': data_offsets must be two"},
      {"{" T("a", "F32", "[1]", "[0,4,8]") "}", 4, "'a': data_offsets must be two"},
      {"{" T("a", "F32", "[1]", "[-4,0]") "}", 4, "'a': data_offsets must be two"},
      {"{" T("a", "F32", "[1]", "[4,8]") "}", 8, "'a': its data begins at 4, must at 0"},
      {"{" T("a", "F32", "[2]", "[0,8]") "," T("b", "F32", "[1]", "[4,8]") "}", 8,
       "'b': its data begins at 4, must at 8"},
      {"{" T("a", "F32", "[1]", "[0,4]") "}", 3, "its tensors have 4 bytes, and 3 stand"},
      {"{" T("a", "F32", "[1]", "[0,4]") "}", 5, "its tensors have 4 bytes, and 5 stand"},
      {"{\"__metadata__\":7}", 0, "__metadata__ is no object"},
      {"{\"__metadata__\":{\"step\":7}}", 0, "__metadata__: 'step' is no string"},
      {"{" T("wte.weight", "F32", "[4]", "[0,16]") "}", 16, "must have a matrix 'wte.weight'"},
      {"{" T("wte.weight", "F32", "[2,2]", "[0,16]") "}", 16, "a matrix 'h.0.attn.c_attn.weight'"},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    lying(all[i].header, all[i].data, all[i].words);
}
END_TEST

/* Replaces the first of `from` by what is as long, in a copy of the file. */
static void edited(const char *bytes, size_t n, const char *from, const char *to, const char *words)
{
  char *copy = malloc(n), *at;
  ck_assert_ptr_nonnull(copy);
  ck_assert_uint_eq(strlen(from), strlen(to));
  memcpy(copy, bytes, n);
  at = memmem(copy, n, from, strlen(from));
  ck_assert_msg(at != NULL, "the file has no %s", from);
  memcpy(at, to, strlen(to));
  refused(copy, n, words);
  free(copy);
}

START_TEST(models_that_lie)
{
  char path[600];
  size_t n;
  snprintf(path, sizeof path, "%s", aid_path("model"));
  free(
      aid_shell(0, "'%s' --text '%s' %s --steps 1 --save '%s'", gpt(), some_text(), KIND[0], path));
  char *good = aid_read(path, &n);
  refused(good, 0, "has 0 bytes");
  refused(good, 7, "has 7 bytes");
  refused(good, 8, "its header has ");
  refused(good, 100, "its header has ");
  refused(good, n - 1, "stand in the file");
  refused(good, n / 2, "stand in the file");
  edited(good, n, "wte.weight\":{\"dtype\":\"F32\"", "wte.weight\":{\"dtype\":\"I32\"",
         "'wte.weight' is I32, must be F32");
  edited(good, n, "\"h.1.ln_2.bias\"", "\"h.1.ln_2.bios\"", "'h.1.ln_2.bios' is no weight");
  edited(good, n, "\"adam.v.wpe", "\"adam.w.wpe", "'adam.w.wpe.weight' is no weight");
  edited(good, n, "\"step\":\"1\"", "\"step\":\"x\"", "its step is 'x'");
  edited(good, n, "\"heads\":\"2\"", "\"heads\":\"0\"", "its heads is '0'");
  edited(good, n, "\"heads\":\"2\"", "\"heads\":\"3\"",
         "says that it has 3 heads, not those of --heads 2");
  edited(good, n, "mlp.c_fc.weight\":{\"dtype\":\"F32\",\"shape\":[8,32]",
         "mlp.c_fc.weight\":{\"dtype\":\"F32\",\"shape\":[32,8]",
         "'h.0.mlp.c_fc.weight' must have");
  free(good);
}
END_TEST

START_TEST(options_refused)
{
  static const char *const all[][2] = {
      {"--backend gpu", "back end 'gpu': must be ref, sim"},
      {"--load /nowhere/model", "/nowhere/model: No such file"},
      {"--text /nowhere/text", "/nowhere/text: No such file"},
      {"--text /", "Is a directory"},
      {"--text /dev/null", "the text has 0 bytes, must have at least 660"},
      {"--width 30", "width 30: must be a multiple of the 4 heads"},
      {"--kv-heads 3", "4 heads: must be a multiple of those of keys, 3"},
      {"--width 12 --positions rope", "a head of 3: must be even for rope"},
      {"--layers 97", "--layers 97: must be a whole number from 1 to 96"},
      {"--layers 1x", "--layers 1x: must be a whole number"},
      {"--context 99999999999999999999", "--context 99999999999999999999: must be a whole number"},
      {"--rate nan", "--rate nan: must be from 0 to 1"},
      {"--temperature -1", "--temperature -1: must be from 0"},
      {"--mlp relu", "--mlp relu: must be gelu or swiglu"},
      {"--norm batch", "--norm batch: must be layer or rms"},
      {"--positions none", "--positions none: must be learned or rope"},
      {"--load x --width 8", "--width: x says that"},
      {"--steps 0 --curve x", "--curve: there is no step to draw"},
      {"--steps 0 --compare", "--compare: there is no step to compare"},
      {"--prompt ''", "--prompt: must have a byte"},
      {"--steps 0 --prompt abc --tokens 30", "the model has learned 32 positions"},
      {"--steps 0 --save /nowhere/x", "/nowhere/x.part: No such file"},
      {"model", "model: nothing is expected there"}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    char *err = aid_shell(2, "'%s' %s", gpt(), all[i][0]);
    ck_assert_text(err, all[i][1]);
    free(err);
  }
  char *out = aid_shell(0, "'%s' --help", gpt());
  ck_assert_text(out, "Examples:");
  free(out);
}
END_TEST

/* On the reference: the simulator changes stacks under valgrind's feet. */
START_TEST(no_byte_is_lost)
{
  if (strstr(gpt(), "asan")) /* which sees to it itself */
    return;
  char run[600];
  snprintf(run, sizeof run,
           "valgrind -q --leak-check=full --errors-for-leak-kinds=definite,indirect,possible "
           "--error-exitcode=9");
  free(aid_shell(0, "%s '%s' --text '%s' %s --steps 2 --prompt the --tokens 3 --save '%s'", run,
                 gpt(), some_text(), KIND[1], aid_path("model")));
  free(aid_shell(0, "%s '%s' --load '%s' --prompt the --tokens 2 --no-cache", run, gpt(),
                 aid_path("model")));
  free(aid_shell(2, "%s '%s' --load '%s' --heads 3", run, gpt(), aid_path("model")));
  free(aid_shell(2, "%s '%s' --load '%s'", run, gpt(), some_text()));
}
END_TEST

static void add(Suite *s, const char *name, const TTest *test, int n)
{
  TCase *t = tcase_create(name);
  tcase_set_timeout(t, 120);
  suite_add_tcase(s, t);
  tcase_add_loop_test(t, test, 0, n);
}

int main(void)
{
  Suite *s = suite_create("gpt");
  add(s, "back_ends_agree", back_ends_agree, 2);
  add(s, "it_learns", it_learns, 2);
  add(s, "it_goes_on", it_goes_on, 2);
  add(s, "cached_or_not", cached_or_not, 2);
  add(s, "composed_or_sdpa", composed_or_sdpa, 2);
  add(s, "as_others_have_it", as_others_have_it, 3);
  add(s, "headers_that_lie", headers_that_lie, 1);
  add(s, "models_that_lie", models_that_lie, 1);
  add(s, "options_refused", options_refused, 1);
  add(s, "no_byte_is_lost", no_byte_is_lost, 1);
  return aid_main(s);
}
