// SPDX-License-Identifier: GPL-2.0-only
/*
 * gpuoa_guest.c - lets a guest whose root is on 9p suspend to idle and come back.
 *
 * virtio-9p can't be suspended: its device is reset and never set up again, and with it all files
 * are gone. As long as this module is there, the PM core leaves virtio devices that QEMU serves
 * alone, as it does with those that are needed to the last. All others are suspended.
 */
#include <linux/device.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/pci_ids.h>

static void gpuoa_guest_keep(bool keep)
{
	struct pci_dev *device = NULL;

	while ((device = pci_get_device(PCI_VENDOR_ID_REDHAT_QUMRANET, PCI_ANY_ID, device)))
		dev_pm_syscore_device(&device->dev, keep);
}

static int __init gpuoa_guest_init(void)
{
	gpuoa_guest_keep(true);

	return 0;
}
module_init(gpuoa_guest_init);

static void __exit gpuoa_guest_exit(void)
{
	gpuoa_guest_keep(false);
}
module_exit(gpuoa_guest_exit);

MODULE_AUTHOR("gpuoa");
MODULE_DESCRIPTION("Lets a guest with its root on 9p suspend");
MODULE_LICENSE("GPL");
