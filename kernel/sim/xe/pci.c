// SPDX-License-Identifier: GPL-2.0-only
/*
 * pci.c - PCI device of the emulated xe device, on an emulated bus, and its driver "xe".
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

#include "../instance.h"
#include "freq.h"
#include "gpus.h"
#include "paranoid.h"
#include "pci.h"
#include "xe.h"

/**
 * DOC: The bus
 *
 * Programs find GPUs by their PCI devices: libdrm lists Intel GPUs only if they are PCI devices. So
 * the DRM device's parent is a PCI device, the only one on a root bus in a separate PCI domain. It
 * has a configuration space but no BARs. The driver has xe's name, so it cannot be registered while
 * xe is loaded. It matches a subsystem ID that no real device has.
 */

static bool sim_xe;
module_param_named(xe, sim_xe, bool, 0644);
MODULE_PARM_DESC(xe,
		 "GPUs lnl and bmg that are made from now on are driven by what looks like xe, on a second DRM device, and not by gpuoa (default N)");

#define XE_DOMAIN 0x6f61
#define XE_DEVFN PCI_DEVFN(2, 0)
#define XE_SUBSYSTEM 0x6f61

/**
 * struct sim_xe_bus - the emulated PCI bus of a GPU
 * @sysdata: data for the architecture's PCI code; must be the first member
 * @instance: the GPU
 * @bus: the PCI root bus
 * @busn: bus number resource
 * @config: configuration space of the only device
 * @xe: the emulated xe device; NULL if the driver is not bound
 */
struct sim_xe_bus {
	struct pci_sysdata sysdata;
	struct sim_instance *instance;
	struct pci_bus *bus;
	struct resource busn;
	u8 config[PCI_CFG_SPACE_SIZE];
	struct sim_xe *xe;
};

static bool bus_has(const struct pci_bus *bus, unsigned int devfn, int where, int size)
{
	return !bus->number && devfn == XE_DEVFN && where + size <= PCI_CFG_SPACE_SIZE;
}

static int bus_read(struct pci_bus *bus, unsigned int devfn, int where, int size, u32 *value)
{
	struct sim_xe_bus *xe_bus = bus->sysdata;

	*value = ~0;
	if (!bus_has(bus, devfn, where, size))
		return PCIBIOS_DEVICE_NOT_FOUND;
	*value = 0;
	memcpy(value, xe_bus->config + where, size);
	return PCIBIOS_SUCCESSFUL;
}

/* Only the command and interrupt line registers are writable; other writes are ignored. */
static int bus_write(struct pci_bus *bus, unsigned int devfn, int where, int size, u32 value)
{
	struct sim_xe_bus *xe_bus = bus->sysdata;

	if (!bus_has(bus, devfn, where, size))
		return PCIBIOS_DEVICE_NOT_FOUND;
	if (where == PCI_COMMAND || where == PCI_INTERRUPT_LINE)
		memcpy(xe_bus->config + where, &value, size);
	return PCIBIOS_SUCCESSFUL;
}

static struct pci_ops bus_ops = {
	.read = bus_read,
	.write = bus_write,
};

static void bus_put(u8 *config, unsigned int where, u16 value)
{
	config[where] = value;
	config[where + 1] = value >> 8;
}

static void bus_fill(struct sim_xe_bus *bus)
{
	const struct gpuoa_unit_desc *desc = &bus->instance->gpu.platform->desc;

	bus_put(bus->config, PCI_VENDOR_ID, PCI_VENDOR_ID_INTEL);
	bus_put(bus->config, PCI_DEVICE_ID, desc->device_id);
	bus->config[PCI_REVISION_ID] = desc->revision;
	bus_put(bus->config, PCI_CLASS_DEVICE, PCI_CLASS_DISPLAY_OTHER);
	bus_put(bus->config, PCI_SUBSYSTEM_VENDOR_ID, PCI_VENDOR_ID_INTEL);
	bus_put(bus->config, PCI_SUBSYSTEM_ID, XE_SUBSYSTEM);
}

static int xe_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct sim_xe_bus *bus = pdev->bus->sysdata;
	struct sim_xe *xe;
	int ret;

	if (pdev->bus->ops != &bus_ops)
		return -ENODEV;
	xe = sim_xe_drm_create(&pdev->dev, bus->instance);
	if (IS_ERR(xe))
		return PTR_ERR(xe);
	pci_set_drvdata(pdev, xe);
	ret = sim_xe_freq_create(xe, &pdev->dev);
	if (ret) {
		sim_xe_freq_remove(xe);
		sim_xe_drm_remove(xe);
		return ret;
	}
	bus->xe = xe;
	return 0;
}

static void xe_remove(struct pci_dev *pdev)
{
	struct sim_xe_bus *bus = pdev->bus->sysdata;

	sim_xe_freq_remove(bus->xe);
	sim_xe_drm_remove(bus->xe);
	bus->xe = NULL;
}

static const struct pci_device_id xe_ids[] = {
	{ PCI_DEVICE_SUB(PCI_VENDOR_ID_INTEL, PCI_ANY_ID, PCI_VENDOR_ID_INTEL, XE_SUBSYSTEM) },
	{}
};

static struct pci_driver xe_driver = {
	.name = SIM_XE_NAME,
	.id_table = xe_ids,
	.probe = xe_probe,
	.remove = xe_remove,
};

/* The first GPU with an emulated xe device registers the driver, under the GPU list's lock. */
static bool registered;

static int xe_register(void)
{
	int ret;

	if (registered)
		return 0;
	ret = pci_register_driver(&xe_driver);
	if (ret) {
		pr_err("no driver \"xe\": %pe; is the real one there?\n", ERR_PTR(ret));
		return ret;
	}
	ret = sim_xe_paranoid_init();
	if (ret) {
		pci_unregister_driver(&xe_driver);
		return ret;
	}
	registered = true;
	return 0;
}

/**
 * sim_xe_pci_exit() - Unregister the driver after the last GPU was removed.
 */
void sim_xe_pci_exit(void)
{
	if (!registered)
		return;
	sim_xe_paranoid_exit();
	pci_unregister_driver(&xe_driver);
	registered = false;
}

/**
 * sim_xe_wanted() - Check whether a new GPU shall have an emulated xe device.
 * @instance: the GPU
 *
 * Return: true if the module parameter "xe" is set and the platform is supported
 */
bool sim_xe_wanted(const struct sim_instance *instance)
{
	return READ_ONCE(sim_xe) && sim_xe_gpu_find(instance->gpu.platform->name);
}

static int bus_create(struct sim_xe_bus *bus)
{
	LIST_HEAD(resources);

	bus->busn.name = SIM_XE_NAME;
	bus->busn.flags = IORESOURCE_BUS;
	pci_add_resource(&resources, &bus->busn);
	pci_lock_rescan_remove();
	bus->bus = pci_create_root_bus(&bus->instance->parent->dev, 0, &bus_ops, bus, &resources);
	if (bus->bus) {
		pci_scan_child_bus(bus->bus);
		pci_bus_add_devices(bus->bus);
	} else {
		pci_free_resource_list(&resources);
	}
	pci_unlock_rescan_remove();
	if (!bus->bus)
		return -ENODEV;
	return bus->xe ? 0 : -ENXIO;
}

/**
 * sim_xe_pci_create() - Add the emulated xe device of a GPU.
 * @instance: the GPU, fully initialized
 *
 * Return: its bus, or an ERR_PTR, which is -EBUSY if the real xe is loaded
 */
struct sim_xe_bus *sim_xe_pci_create(struct sim_instance *instance)
{
	struct sim_xe_bus *bus;
	int ret;

	ret = xe_register();
	if (ret)
		return ERR_PTR(ret);
	bus = kzalloc(sizeof(*bus), GFP_KERNEL);
	if (!bus)
		return ERR_PTR(-ENOMEM);
	bus->sysdata.domain = XE_DOMAIN + instance->index;
	bus->sysdata.node = NUMA_NO_NODE;
	bus->instance = instance;
	bus_fill(bus);
	ret = bus_create(bus);
	if (ret) {
		sim_xe_pci_destroy(bus);
		return ERR_PTR(ret);
	}
	return bus;
}

/**
 * sim_xe_pci_destroy() - Remove the emulated xe device, as in a hot unplug.
 * @bus: bus of the GPU
 */
void sim_xe_pci_destroy(struct sim_xe_bus *bus)
{
	pci_lock_rescan_remove();
	if (bus->bus) {
		pci_stop_root_bus(bus->bus);
		pci_remove_root_bus(bus->bus);
	}
	pci_unlock_rescan_remove();
	kfree(bus);
}
