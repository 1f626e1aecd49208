// SPDX-License-Identifier: GPL-2.0-only
/*
 * gpuoa_guest.c - allow a test guest with its root on 9p to suspend to idle and resume.
 *
 * virtio-9p cannot be suspended: its device is reset and not set up again, so all files are lost.
 * While this module is loaded, the PM core does not suspend QEMU's virtio devices, as if they were
 * needed by late suspend. All other devices are suspended.
 */
#include <linux/device.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/pci_ids.h>

static void gpuoa_guest_keep(bool dword_mask)
{
	struct pci_dev *device = NULL;

	while ((device = pci_get_device(PCI_VENDOR_ID_REDHAT_QUMRANET, PCI_ANY_ID, device)))
		dev_pm_syscore_device(&device->dev, dword_mask);
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
