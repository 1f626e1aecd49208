/* SPDX-License-Identifier: MIT */
/* pci_ids.h - platform of each PCI device id */
#ifndef GPUOA_LIB_GPU_PCI_IDS_H
#define GPUOA_LIB_GPU_PCI_IDS_H

#include <stdbool.h>
#include <stdint.h>

struct pci_part {
	char platform[8]; /* name in the metric definitions */
	char title[24]; /* display name */
	bool discrete;
};

/* Find a part by device id of vendor 0x8086; NULL if unknown. */
const struct pci_part *pci_part_find(uint16_t device);

/* Find a part by name of the platform; NULL if it has no known PCI ids. */
const struct pci_part *pci_part_named(const char *platform);

#endif /* GPUOA_LIB_GPU_PCI_IDS_H */
