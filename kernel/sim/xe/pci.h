/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pci.h - PCI device of the emulated xe device, on an emulated bus.
 */
#ifndef _SIM_XE_PCI_H
#define _SIM_XE_PCI_H

#include <linux/err.h>
#include <linux/kconfig.h>
#include <linux/types.h>

struct sim_instance;
struct sim_xe_bus;

#if IS_ENABLED(CONFIG_X86) && IS_ENABLED(CONFIG_PCI)

bool sim_xe_wanted(const struct sim_instance *instance);
struct sim_xe_bus *sim_xe_pci_create(struct sim_instance *instance);
void sim_xe_pci_destroy(struct sim_xe_bus *bus);
void sim_xe_pci_exit(void);

#else

static inline bool sim_xe_wanted(const struct sim_instance *instance)
{
	return false;
}

static inline struct sim_xe_bus *sim_xe_pci_create(struct sim_instance *instance)
{
	return ERR_PTR(-ENODEV);
}

static inline void sim_xe_pci_destroy(struct sim_xe_bus *bus)
{
}

static inline void sim_xe_pci_exit(void)
{
}

#endif

#endif /* _SIM_XE_PCI_H */
