/* SPDX-License-Identifier: GPL-2.0-only */
/* frequency.h - frequency pin of a unit's GPU. */
#ifndef _GPUOA_FREQUENCY_H
#define _GPUOA_FREQUENCY_H

struct file;
struct gpuoa_freq_pin_arg;
struct gpuoa_unit;

void gpuoa_frequency_init(struct gpuoa_unit *unit);
int gpuoa_frequency_pin(struct gpuoa_unit *unit, struct file *file,
			struct gpuoa_freq_pin_arg *frequency);
void gpuoa_frequency_close(struct gpuoa_unit *unit, struct file *file);
void gpuoa_frequency_take_away(struct gpuoa_unit *unit);

#endif /* _GPUOA_FREQUENCY_H */
