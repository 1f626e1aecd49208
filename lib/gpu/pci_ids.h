/* SPDX-License-Identifier: MIT */
/*
 * pci_ids.h - the platform of each PCI device id
 */
#ifndef GPUOA_LIB_GPU_PCI_IDS_H
#define GPUOA_LIB_GPU_PCI_IDS_H

#include <stdbool.h>
#include <stdint.h>

struct pci_part {
	char platform[8]; /* as in the metric definitions */
	char title[24]; /* for people */
	bool discrete;
};

/* By device id of vendor 0x8086; NULL: no GPU that is known. */
const struct pci_part *pci_part_find(uint16_t device);

/* By name of the platform; NULL: none that has PCI ids here. */
const struct pci_part *pci_part_named(const char *platform);

#endif /* GPUOA_LIB_GPU_PCI_IDS_H */
