/* SPDX-License-Identifier: GPL-2.0-only */
/* arg.h - ioctl numbers and arguments of variable size. */
#ifndef _GPUOA_ARG_H
#define _GPUOA_ARG_H

#include <linux/ioctl.h>
#include <linux/minmax.h>
#include <linux/uaccess.h>

/* Ioctl number without the size of its argument, which depends on the program's header version */
#define GPUOA_IOC_FORM(cmd) ((cmd) & ~IOCSIZE_MASK)

/**
 * gpuoa_arg_out() - Copy a result to user space, truncated or zero-extended to the user's size.
 * @to: user pointer to the result
 * @room: size of the user's struct, from the ioctl number, bytes
 * @from: result
 * @size: size of the result, bytes
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
