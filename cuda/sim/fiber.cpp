#include "fiber.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sim.h"

#if defined(__SANITIZE_ADDRESS__)
#define SIM_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SIM_ASAN 1
#endif
#endif
#ifdef SIM_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
enum { STACK = 256 * 1024 };
#else
enum { STACK = 64 * 1024 };
#endif
#if !defined(__x86_64__) && !defined(PM_SIM_UCONTEXT)
#define PM_SIM_UCONTEXT 1
#endif
#ifdef PM_SIM_UCONTEXT
#include <ucontext.h>
#endif

namespace {

struct fiber {
  unsigned char *stack; /* STACK bytes above a guard page */
  void *fake;           /* ASan's own stack of it */
#ifdef PM_SIM_UCONTEXT
  ucontext_t context;
#else
  void *sp;
#endif
};

fiber pool[PM_SIM_CLUSTER * PM_SIM_THREADS + 1]; /* [0] is fiber -1 */
#ifdef SIM_ASAN
const void *caller_stack; /* of fiber -1, as ASan reports it */
size_t caller_size;
#endif

fiber *get(int i) { return &pool[i + 1]; }

bool make_stack(fiber *f)
{
  if (!f->stack) {
    size_t guard = (size_t)sysconf(_SC_PAGESIZE);
    void *p = mmap(NULL, guard + STACK, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
      return false;
    if (mprotect(p, guard, PROT_NONE)) {
      munmap(p, guard + STACK);
      return false;
    }
    f->stack = static_cast<unsigned char *>(p) + guard;
  }
  sim_unpoison(f->stack, STACK);
  return true;
}

void before(int to, void **fake)
{
#ifdef SIM_ASAN
  if (to < 0)
    __sanitizer_start_switch_fiber(fake, caller_stack, caller_size);
  else
    __sanitizer_start_switch_fiber(fake, get(to)->stack, STACK);
#else
  (void)to, (void)fake;
#endif
}

/* On the stack just switched to: `fake` is what it saved when it left, NULL on a fresh one. */
void after(void *fake, bool from_caller)
{
#ifdef SIM_ASAN
  const void *stack;
  size_t size;
  __sanitizer_finish_switch_fiber(fake, &stack, &size);
  if (from_caller) {
    caller_stack = stack;
    caller_size = size;
  }
#else
  (void)fake, (void)from_caller;
#endif
}

bool came_from_caller;

void begin()
{
  after(NULL, came_from_caller);
  fiber_main();
}

#ifdef PM_SIM_UCONTEXT
void swap(fiber *from, fiber *to) { swapcontext(&from->context, &to->context); }

void prepare(fiber *f, int)
{
  getcontext(&f->context);
  f->context.uc_stack.ss_sp = f->stack;
  f->context.uc_stack.ss_size = STACK;
  f->context.uc_link = NULL;
  makecontext(&f->context, begin, 0);
}
#else
/* Saves the callee-saved registers: the only ones that a call may rely on (the rounding mode is
 * the same throughout). */
extern "C" void pm_sim_swap(void **save, void *to);
asm(R"(
.text
.globl pm_sim_swap
.hidden pm_sim_swap
.type pm_sim_swap,@function
pm_sim_swap:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp,(%rdi)
  movq %rsi,%rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size pm_sim_swap,.-pm_sim_swap
)");

void swap(fiber *from, fiber *to) { pm_sim_swap(&from->sp, to->sp); }

void prepare(fiber *f, int i)
{
  /* Tops are staggered: at equal offsets all stacks would share the same few cache sets. */
  uintptr_t top = (uintptr_t)(f->stack + STACK) - (uintptr_t)(i % 31) * 128;
  void **p = reinterpret_cast<void **>(top & ~(uintptr_t)15);
  *--p = NULL; /* begin() finds the stack as a call leaves it */
  *--p = reinterpret_cast<void *>(begin);
  for (int k = 0; k < 6; k++) *--p = NULL;
  f->sp = p;
}
#endif

} // namespace

bool fiber_start(int from, int to)
{
  fiber *f = get(from);
  if (!make_stack(get(to)))
    return false;
  prepare(get(to), to);
  came_from_caller = from < 0;
  before(to, &f->fake);
  swap(f, get(to));
  after(f->fake, false);
  return true;
}

void fiber_switch(int from, int to)
{
  fiber *f = get(from);
  before(to, &f->fake);
  swap(f, get(to));
  after(f->fake, false);
}

void fiber_end(int to)
{
  static fiber nowhere;
  before(to, NULL);
  swap(&nowhere, get(to));
  abort(); /* nobody comes back to a stack that was left for good */
}

void sim_poison(void *p, size_t bytes)
{
#ifdef SIM_ASAN
  __asan_poison_memory_region(p, bytes);
#else
  (void)p, (void)bytes;
#endif
}

void sim_unpoison(void *p, size_t bytes)
{
#ifdef SIM_ASAN
  __asan_unpoison_memory_region(p, bytes);
#else
  (void)p, (void)bytes;
#endif
}
