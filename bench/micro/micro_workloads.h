/* SPDX-License-Identifier: MIT */
/* Between the files of workloads. */
#ifndef MICRO_WORKLOADS_H
#define MICRO_WORKLOADS_H

#include <stdint.h>

/* Well mixed bits of x. */
uint32_t micro_noise(uint32_t x);

/* micro_compute.c */
void micro_setup_product(unsigned work);
void micro_setup_reduction(unsigned work);
void micro_setup_histogram(unsigned work);
void micro_setup_particles(unsigned work);
void micro_setup_blur(unsigned work);
void micro_frame_compute(unsigned work);

#endif
