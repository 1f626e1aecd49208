/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * arg.h - numbers of ioctls, and their arguments, which grow at their end.
 */
#ifndef _GPUOA_ARG_H
#define _GPUOA_ARG_H

#include <linux/ioctl.h>
#include <linux/minmax.h>
#include <linux/uaccess.h>

/* The number of an ioctl without the size of its argument, which depends on the program's age */
#define GPUOA_IOC_FORM(cmd) ((cmd) & ~IOCSIZE_MASK)

/**
 * gpuoa_arg_out - copy to the user what both sides know
 * @to: the user's struct
 * @room: its size, as the number of the ioctl says
 * @from: the kernel's
 * @size: its size
 *
 * Return: 0 or -EFAULT
 */
static inline int gpuoa_arg_out(void __user *to, size_t room, const void *from, size_t size)
{
	if (copy_to_user(to, from, min(room, size)))
		return -EFAULT;
	if (room > size && clear_user(to + size, room - size))
		return -EFAULT;

	return 0;
}

#endif /* _GPUOA_ARG_H */
