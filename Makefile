# Proofmark. `make help` lists the targets; new files are found by name and need no edit here.
B ?= build
CC = gcc
CXX = g++
OPT ?= -O2
WERROR ?= -Werror
WARN = -Wall -Wextra -Wshadow $(WERROR)
# Contraction off: a compiler must not fuse what the text did not. Where the CPU has fma, an
# explicit fma() becomes one instruction; elsewhere the C library's gives the same bits.
FMA := $(shell grep -qsw fma /proc/cpuinfo && echo -mfma)
# SAN=1 (with a B of its own: see sanitize): address and undefined-behaviour sanitizers.
SANFLAGS = $(if $(SAN),-fsanitize=address$(comma)undefined -fno-sanitize-recover=all \
  -fno-omit-frame-pointer)
comma := ,
# Line numbers alone, which are what a backtrace shows: with all of -g the sanitized build takes
# twice as long. `make DEBUG=-g` for a debugger.
DEBUG ?= -g1
# The same objects go into programs and shared libraries, which leave out what nothing of theirs calls.
PIC = -fPIC -fno-semantic-interposition
FLAGS = $(OPT) $(DEBUG) -ffp-contract=off -fno-fast-math $(PIC) $(SANFLAGS) -MMD -MP
CFLAGS = -std=c11 -D_GNU_SOURCE $(WARN) $(FLAGS) -ffunction-sections -fdata-sections
# The simulator reads the kernel text as C++; an unknown pragma there is nvcc's own.
SIMFLAGS = -std=c++17 -D_GNU_SOURCE -DPM_SIM -I. $(FMA) $(WARN) -Wno-unknown-pragmas $(FLAGS)
# Warnings are the simulator's own build's to give: instrumented, the compiler sees less.
RACEFLAGS = $(filter-out -fsanitize=% -fno-sanitize%,$(SIMFLAGS)) -DPM_RACE -fsanitize=thread \
  -Wno-maybe-uninitialized
NVCC := $(or $(shell command -v nvcc 2>/dev/null),$(wildcard /usr/local/cuda/bin/nvcc))
NVFLAGS = -arch=sm_90 --fmad=false -O3 -std=c++17 -I. -lineinfo -Xcompiler -fPIC \
  -Xcompiler -ffp-contract=off

# jansson, zlib and libffi go in statically where their archives are, so that the binary can be carried.
carried = $(or $(filter /%,$(shell $(CC) -print-file-name=lib$(1).a 2>/dev/null)),-l$(1))
CARRIED := $(call carried,jansson) $(call carried,z) $(call carried,ffi)
LIBS = $(CARRIED) -lbacktrace -ldl -lm -lpthread
LINK = $(CXX) $(if $(SAN),$(SANFLAGS),-static-libgcc -static-libstdc++)

O = $(B)/obj
c_objs = $(patsubst %,$(O)/%.o,$(basename $(1)))
REF := $(call c_objs,$(wildcard ref/*.c))
SIM_SRC := $(filter-out cuda/host/backend_cuda%,$(wildcard cuda/*/*.cu cuda/*/*.cpp))
SIM := $(patsubst cuda/%,$(O)/sim/%.o,$(basename $(SIM_SRC)))
# The kernels once more, so that every access is seen (cuda/sim/race.h). No sanitizer looks into these, so that
# the sanitized build takes the plain one's.
R = $(if $(SAN),build/obj/race,$(O)/race)
RACE_SRC := $(filter-out cuda/host/%,$(filter %.cu,$(SIM_SRC))) cuda/host/backend_sim.cpp
RACE := $(patsubst cuda/%,$(R)/%.o,$(basename $(RACE_SRC)))
GPU_SRC := $(filter-out cuda/host/backend_sim%,$(wildcard cuda/*/*.cu))
GPU := $(patsubst cuda/%.cu,$(O)/gpu/%.o,$(GPU_SRC))
HARNESS := $(call c_objs,$(filter-out %/main.c,$(wildcard diffcheck/*/*.c)))
RUNTIME := $(call c_objs,$(wildcard runtime/*.c))
MAIN := $(call c_objs,$(wildcard diffcheck/commands/main.c))
EXAMPLE := $(call c_objs,$(wildcard examples/first_check*.c))
DIGITS := $(call c_objs,$(wildcard examples/digits/*.c))
GPT := $(call c_objs,$(wildcard examples/gpt/*.c))
OVERHEAD := $(call c_objs,$(wildcard examples/overhead/*.c))
TEST_SRC := $(wildcard tests/test_*.c)
TEST_HELPERS := $(call c_objs,$(filter-out $(TEST_SRC) tests/mutant% tests/sweep%,$(wildcard tests/*.c)))
TEST_RACES := $(patsubst %,$(R)/%.o,$(basename $(wildcard tests/*.cpp)))
TESTS := $(TEST_SRC:tests/%.c=$(B)/tests/%)

PROGRAMS := $(if $(MAIN),$(B)/diffcheck) $(if $(EXAMPLE),$(B)/first_check) $(if $(DIGITS),$(B)/digits) $(if $(GPT),$(B)/gpt) $(if $(OVERHEAD),$(B)/overhead)

.PHONY: library races install uninstall threads vocabulary_flags all programs suites gpu diffcheck test prove bench sanitize lint format setup clean help
.DELETE_ON_ERROR:
.SECONDARY:

all: programs $(if $(NVCC),gpu) ## Build everything that this machine can build
programs: $(PROGRAMS) ## diffcheck and the examples, with the simulator inside
suites: $(TESTS) $(B)/vocabulary_sim ## The libcheck suites, and the vocabulary's test
gpu: $(if $(GPU),$(B)/libpm_cuda.so) $(B)/vocabulary ## The CUDA back end, with nvcc for sm_90

# What a kernel in plain CUDA, which is loaded (cuda/sim/plain.h), finds in the program that loads it.
EXPORTS = $(foreach s,_ZN7pm_sim_* __tsan_* threadIdx blockIdx blockDim gridDim,-Wl,--export-dynamic-symbol='$(s)')

$(B)/diffcheck: $(MAIN) $(HARNESS) $(REF) $(SIM) $(RACE)
	$(LINK) $(EXPORTS) -o $@ $^ $(LIBS)

$(B)/first_check: $(EXAMPLE) $(HARNESS) $(REF) $(SIM) $(RACE)
	$(LINK) -o $@ $^ $(LIBS)

# Libraries: of a shared one the symbols that its .map names are seen, under their version.
VERSION := $(shell sed -n 's/^\#define REPORT_VERSION "\(.*\)"/\1/p' diffcheck/report/report.h)
MAJOR = $(basename $(VERSION))
SHARED = -shared $(SANFLAGS) -Wl,--gc-sections -Wl,--as-needed $(if $(SAN),,-Wl$(comma)--no-undefined) -Wl,-soname,$(1) \
  -Wl,--version-script=$(filter %.map,$^) -o $@ $(filter-out %.map,$^)

# The runtime: the reference and the simulator are inside (docs/runtime.md).
$(B)/libproofmark.a: $(RUNTIME) $(HARNESS) $(REF) $(SIM) $(RACE)
	@rm -f $@
	ar rcs $@ $^
$(B)/libproofmark.so.$(VERSION): $(RUNTIME) $(HARNESS) $(REF) $(SIM) $(RACE) runtime/proofmark.map
	$(LINK) $(call SHARED,libproofmark.so.$(MAJOR)) $(LIBS)

$(B)/digits: $(DIGITS) $(B)/libproofmark.a
	$(LINK) -o $@ $^ $(LIBS)

$(B)/overhead: $(OVERHEAD) $(B)/libproofmark.a
	$(LINK) -o $@ $^ $(LIBS)

$(B)/gpt: $(GPT) $(B)/libproofmark.a
	$(LINK) -o $@ $^ $(LIBS)

# The checker (diffcheck/library/libdiffcheck.h): what judges, without what runs kernels.
LIBRARY := $(call c_objs,$(wildcard $(patsubst %,diffcheck/%/*.c,engine ops files report library) ref/*.c))
$(B)/libdiffcheck.a: $(LIBRARY)
	@rm -f $@
	ar rcs $@ $^
$(B)/libdiffcheck.so: $(LIBRARY) diffcheck/library/libdiffcheck.map
	$(CC) $(call SHARED,libdiffcheck.so) -lm
library: $(B)/libdiffcheck.so $(B)/libdiffcheck.a $(B)/libproofmark.so.$(VERSION) ## The libraries, for other programs and Python

# The vocabulary's own test (tests/vocabulary.cu), on the simulator that watches for races and on the GPU.
VOCABULARY_SIM = $(R)/tests/vocabulary.o
%/vocabulary_sim: $(VOCABULARY_SIM) $(SIM) $(RACE)
	$(LINK) -o $@ $^ $(LIBS)
vocabulary_flags: # for vocabulary_plants.sh
	@echo "$(filter-out -M%,$(RACEFLAGS))"

$(B)/vocabulary: $(O)/gpu/tests/vocabulary.o
	$(NVCC) $(WGMMA) -o $@ $^

$(B)/libpm_cuda.so: $(GPU)
	$(NVCC) -arch=sm_90 -shared -o $@ $^

# What rules of other projects say of our kernels' numbers (scripts/kill_matrix.py).
RULES := $(call c_objs,$(wildcard tests/rules/*.c $(patsubst %,diffcheck/%/*.c,engine ops)))
$(B)/rules: $(RULES) $(REF) $(SIM) $(RACE)
	$(LINK) -o $@ $^ $(LIBS)
$(RULES): $(B)/flags

# A suite can have any allocation of C fail (tests/allocation.h); those of C++ stay in its library.
WRAPPED = $(foreach f,malloc calloc realloc posix_memalign strdup,-Wl,--wrap=$(f))

$(TESTS): $(B)/tests/%: $(O)/tests/%.o $(TEST_HELPERS) $(TEST_RACES) $(RUNTIME) $(HARNESS) $(REF) $(SIM) $(RACE)
	@mkdir -p $(@D)
	$(filter-out -static-libstdc++,$(LINK)) $(WRAPPED) -o $@ $^ -lcheck_pic -lsubunit -lrt $(LIBS)

# A back end that dies where it is told to, for test_workers, as the library of a GPU's.
$(B)/tests/libfake_cuda.so: tests/fake_cuda/fake_cuda.c tests/fake_backend.c tests/fake_backend.h \
  cuda/launch.h spec/elementary.def $(B)/flags
	@mkdir -p $(@D)
	$(CC) $(filter-out -M%,$(CFLAGS)) -fPIC -shared -o $@ $<
$(B)/tests/test_workers $(B)/tests/test_kernels $(B)/tests/test_bare: | $(B)/tests/libfake_cuda.so

# A driver whose kernels run on the host, for test_bare.
$(B)/tests/libfake_driver.so: tests/fake_cuda/fake_driver.c $(B)/flags
	@mkdir -p $(@D)
	$(CC) $(filter-out -M%,$(CFLAGS)) -fPIC -shared -o $@ $<
$(B)/tests/test_bare: | $(B)/tests/libfake_driver.so

# Kernels that are not ours, honest ones and cheats, as their authors would build them.
FOREIGN := $(patsubst %,$(B)/%.so,$(basename $(wildcard tests/cheats/*.c tests/kernels/*.c tests/kernels/*.cpp)))
$(B)/tests/%.so: tests/%.c $(B)/flags
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE $(WARN) -O1 -ffp-contract=off -fPIC -shared -o $@ $< -lm
$(B)/tests/%.so: tests/%.cpp $(B)/flags
	@mkdir -p $(@D)
	$(CXX) -std=c++17 $(WARN) -O1 -ffp-contract=off -fPIC -shared -o $@ $<
$(filter %.so,$(filter $(B)/tests/cheats/%,$(FOREIGN))): tests/cheats/softmax.h diffcheck/engine/worker.h
$(B)/tests/test_kernels $(B)/tests/test_types $(B)/tests/test_strided $(B)/tests/test_runtime_kernels $(B)/tests/test_runtime_streams $(B)/tests/test_cheats $(B)/tests/test_descriptions $(B)/tests/test_reports: | $(FOREIGN)
$(B)/tests/test_runtime_device: | $(B)/tests/libfake_cuda.so
$(B)/tests/test_runtime_program: | $(B)/digits
$(B)/tests/test_gpt: | $(B)/gpt
$(B)/tests/test_runtime_shadow $(B)/tests/test_runtime_kernels: | $(B)/diffcheck

$(O)/sim/%.o: cuda/%.cu
	@mkdir -p $(@D)
	$(CXX) -x c++ $(SIMFLAGS) -c -o $@ $<

$(O)/sim/%.o: cuda/%.cpp
	@mkdir -p $(@D)
	$(CXX) $(SIMFLAGS) -c -o $@ $<

$(O)/race/%.o: cuda/%.cu
	@mkdir -p $(@D)
	$(CXX) -x c++ $(RACEFLAGS) -c -o $@ $<

$(O)/race/tests/%.o: tests/%.cu
	@mkdir -p $(@D)
	$(CXX) -x c++ $(RACEFLAGS) -c -o $@ $<

$(O)/gpu/tests/%.o: tests/%.cu
	@mkdir -p $(@D)
	$(NVCC) $(NVFLAGS) -MMD -MP -MF $(@:.o=.d) -c -o $@ $<

$(O)/race/tests/%.o: tests/%.cpp
	@mkdir -p $(@D)
	$(CXX) $(RACEFLAGS) -c -o $@ $<

$(O)/race/%.o: cuda/%.cpp
	@mkdir -p $(@D)
	$(CXX) $(SIMFLAGS) -DPM_RACE -c -o $@ $<

$(O)/gpu/%.o: cuda/%.cu
	@mkdir -p $(@D)
	$(NVCC) $(NVFLAGS) -MMD -MP -MF $(@:.o=.d) -c -o $@ $<

# Features of one architecture, which no later one has, are in files of their own, without text for others.
WGMMA = -gencode arch=compute_90a,code=sm_90a
$(O)/gpu/product/fast.o $(O)/gpu/tests/vocabulary.o: NVFLAGS := $(subst -arch=sm_90,$(WGMMA),$(NVFLAGS))

$(O)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -I. -c -o $@ $<

# What `diffcheck explain` says of the proofs and of the newest run on a GPU: the results of this
# checkout, as one C string.
PROVEN := $(sort $(wildcard proofs/results/*.json)) docs/results/measured.json
$(B)/proof_results.h: $(PROVEN) Makefile
	@mkdir -p $(@D)
	@{ echo '['; comma=; for f in $(PROVEN); do echo "$$comma"; cat $$f; comma=,; done; echo ']'; } \
	  | sed 's/[\\"]/\\&/g; s/.*/"&\\n"/' > $@
$(O)/diffcheck/commands/proofs.o: $(B)/proof_results.h
$(O)/diffcheck/commands/proofs.o: CFLAGS += -I$(B)

# A change of flags rebuilds; objects do not otherwise know what they were made with.
FLAGS_SEEN := $(CFLAGS) $(SIMFLAGS) $(NVFLAGS)
ifneq ($(FLAGS_SEEN),$(file <$(B)/flags))
$(shell mkdir -p $(B))
$(file >$(B)/flags,$(FLAGS_SEEN))
endif
WATCHED := $(RACE) $(TEST_RACES) $(R)/tests/vocabulary.o
races: $(WATCHED)
OBJS := $(REF) $(SIM) $(HARNESS) $(RUNTIME) $(MAIN) $(EXAMPLE) $(DIGITS) $(GPT) $(OVERHEAD) $(TEST_HELPERS) $(GPU) $(TEST_SRC:%.c=$(O)/%.o) \
  $(O)/gpu/tests/vocabulary.o $(if $(SAN),,$(WATCHED))
ifdef SAN
$(WATCHED): ; @$(MAKE) -s --no-print-directory B=build SAN= OPT=-O2 $@
endif
$(OBJS): $(B)/flags
$(B)/flags: ;

JOBS = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc))

diffcheck: ## Install what is missing, build, check every op (simulator; GPU where there is one)
	@bash scripts/setup.sh build
	@$(MAKE) $(JOBS) -s --no-print-directory all
	@bash scripts/diffcheck.sh $(B)

test: ## Install what is missing, then proofs, suites, simulator, sanitizers, lint
	@bash scripts/setup.sh test
	@bash scripts/test.sh

prove: ## Prove everything and print the table, function by function
	@bash scripts/setup.sh prove
	@bash proofs/prove.sh

bench: all ## Time the kernels against floor and peers (needs a GPU)
	$(B)/diffcheck bench

sanitize: ## The programs and suites under ASan and UBSan, in build/asan
	@$(MAKE) $(JOBS) --no-print-directory races
	@$(MAKE) $(JOBS) --no-print-directory B=build/asan SAN=1 OPT=-O1 programs suites

PREFIX ?= /usr/local
INSTALLED = include/proofmark.h include/libdiffcheck.h lib/libproofmark.a lib/libproofmark.so.$(VERSION) \
  lib/libproofmark.so.$(MAJOR) lib/libproofmark.so lib/libdiffcheck.so lib/libpm_cuda.so lib/pkgconfig/proofmark.pc \
  bin/diffcheck bin/libpm_cuda.so share/bash-completion/completions/diffcheck $(MANUALS:%=share/man/%)
MANUALS := man1/diffcheck.1 $(patsubst %,man1/diffcheck-%.1,run judge eval explain list merge new replay bench) \
  man3/proofmark.3
# Debian has no pkg-config file for libbacktrace, which is gcc's own.
install: to = $(DESTDIR)$(PREFIX)
install: $(B)/libproofmark.a library $(B)/diffcheck ## Programs, libraries and manuals, under PREFIX (docs/runtime.md)
	install -d $(to)/include $(to)/lib/pkgconfig $(to)/bin $(to)/share/bash-completion/completions
	install -m 644 runtime/proofmark.h diffcheck/library/libdiffcheck.h $(to)/include
	install -m 644 $(B)/libproofmark.a $(to)/lib
	install -m 755 $(B)/libproofmark.so.$(VERSION) $(B)/libdiffcheck.so $(wildcard $(B)/libpm_cuda.so) $(to)/lib
	ln -sf libproofmark.so.$(VERSION) $(to)/lib/libproofmark.so.$(MAJOR)
	ln -sf libproofmark.so.$(MAJOR) $(to)/lib/libproofmark.so
	sed 's|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(VERSION)|' runtime/proofmark.pc > $(to)/lib/pkgconfig/proofmark.pc
	install -m 755 $(B)/diffcheck $(to)/bin
	[ ! -e $(to)/lib/libpm_cuda.so ] || ln -sf ../lib/libpm_cuda.so $(to)/bin
	install -m 644 scripts/completion.bash $(to)/share/bash-completion/completions/diffcheck
	bash scripts/manuals.sh $(B)/diffcheck $(to)/share/man $(MANUALS)

uninstall: ## What install laid down
	rm -f $(INSTALLED:%=$(DESTDIR)$(PREFIX)/%)

# The runtime on the reference, and on a device in plain C that stands in the simulator's place.
THREADS := $(call c_objs,$(wildcard tests/threads/*.c))
$(B)/threads: $(THREADS) $(RUNTIME) $(HARNESS) $(REF)
	$(CXX) $(SANFLAGS) -o $@ $^ $(LIBS)
$(THREADS): $(B)/flags
threads: ## The runtime's threads under ThreadSanitizer, in build/tsan
	@$(MAKE) $(JOBS) -s --no-print-directory B=build/tsan SANFLAGS=-fsanitize=thread OPT=-O1 \
	  build/tsan/threads
	@build/tsan/threads

lint: ## clang-format, cppcheck, kernels, readings, who includes whom, coverage of the catalogue
	@bash scripts/format.sh --check
	@bash scripts/cppcheck.sh
	@python3 scripts/lint_kernels.py
	@python3 scripts/lint_readings.py
	@python3 scripts/lint_diffcheck.py
	@python3 scripts/lint_style.py
	@python3 scripts/coverage.py

format: ## Reformat every source file
	@bash scripts/format.sh

setup: ## Install what is missing (Debian 12; root or sudo)
	@bash scripts/setup.sh all

clean: ## Remove build/
	rm -rf build

help: ## This list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 20

-include $(OBJS:.o=.d) $(THREADS:.o=.d)
