/* What backend_cuda.cu does with page-locked memory and with graphs, on the host (host_gpu.cpp): streams on which
 * nothing happens before somebody waits for it, graphs that are counted, and calls of CUDA of which one can fail. */
#ifndef PM_TESTS_HOST_GPU_H
#define PM_TESTS_HOST_GPU_H
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Call number n of CUDA from here on fails, counted from 0; n < 0: none does. */
void host_gpu_fail(int n);
int host_gpu_failed(void); /* whether it came to that one */

/* 0: there is page-locked memory, for both of two streams; it is looked for once. */
int host_gpu_staged(void);
void host_gpu_give_back(void);
size_t host_gpu_half(void); /* bytes of one half of it */
/* 0, or an error of CUDA's. */
int host_gpu_upload(int stream, void *to, const void *from, size_t bytes);
int host_gpu_download(int stream, void *to, const void *from, size_t bytes);
int host_gpu_wait(int stream);
int host_gpu_left(int stream); /* copies that nobody has waited for */

/* Graphs: what a part is captured as is a number, the kernel it launches, and another, its argument. */
typedef struct pm_graph pm_graph;
pm_graph *host_gpu_graph(int parts);
int host_gpu_capture(pm_graph *g, int part, int kernel, int argument); /* g NULL: forgotten */
int host_gpu_ready(pm_graph *g);
/* The arguments that a launch would have, a 0 behind them; how often graphs were instantiated, and parts updated in
 * place. */
void host_gpu_launch(const pm_graph *g, int *arguments);
int host_gpu_instantiated(void);
int host_gpu_updated(void);
void host_gpu_drop(pm_graph *g);
int host_gpu_live(void); /* graphs that nobody has destroyed, executable ones too */

#ifdef __cplusplus
}
#endif
#endif
