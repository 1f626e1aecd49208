// SPDX-License-Identifier: MIT
/*
 * terminal.c - run a program in a terminal emulator, press keys, and check the screen
 *
 * terminal ROWS COLUMNS STEP... -- COMMAND...
 *
 *   wait:REGEX        wait until the screen matches (extended; per line)
 *   gone:REGEX        wait until it does not match
 *   keys:TEXT         type; ^[ starts escape sequences such as arrow keys
 *   size:ROWSxCOLUMNS resize the terminal
 *   signal:NUMBER     send the program a signal
 *   run:COMMAND       run another command, which must return 0
 *   sleep:MS          sleep
 *   text:FILE         write the screen as text; -: to stdout
 *   colors:yes        check that the screen has colours; no: that it has none
 *   dark:FILE.png     write a picture on dark background; light: on light background
 *   exit:CODE         wait until the program exits with this status
 *
 * Returns 0 if all steps succeeded. Otherwise prints the failed step and the screen on stderr. Each
 * step has a timeout of TERMINAL_TIMEOUT seconds, by default 60.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "terminal.h"

#define PATIENCE_S 60
#define POLL_MS 50
#define SETTLE_MS 60
#define SETTLE_PIECES 100

struct terminal {
	VTerm *vterm;
	VTermScreen *screen;
	int rows;
	int columns;
	int master;
	pid_t pid; /* 0: the program has exited */
	int status;
};

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static double patience(void)
{
	const char *text = getenv("TERMINAL_TIMEOUT");

	return text ? atof(text) : PATIENCE_S;
}

static int open_terminal(struct terminal *terminal, char **argv)
{
	const struct winsize size = {
		.ws_row = (unsigned short)terminal->rows,
		.ws_col = (unsigned short)terminal->columns,
	};

	terminal->vterm = vterm_new(terminal->rows, terminal->columns);
	vterm_set_utf8(terminal->vterm, 1);
	terminal->screen = vterm_obtain_screen(terminal->vterm);
	vterm_screen_enable_altscreen(terminal->screen, 1);
	vterm_screen_reset(terminal->screen, 1);
	terminal->pid = forkpty(&terminal->master, NULL, NULL, &size);
	if (terminal->pid < 0)
		return -1;
	if (!terminal->pid) {
		if (!getenv("TERMINAL_TERM"))
			setenv("TERM", "xterm-256color", 1);
		else
			setenv("TERM", getenv("TERMINAL_TERM"), 1);
		unsetenv("LINES");
		unsetenv("COLUMNS");
		execvp(argv[0], argv);
		perror(argv[0]);
		_exit(127);
	}
	return 0;
}

/* Process the program's output for @timeout_ms. Returns false if the output has ended. */
static bool take_output(struct terminal *terminal, int timeout_ms)
{
	struct pollfd wait = { .fd = terminal->master, .events = POLLIN };
	char text[4096];
	ssize_t length;

	if (poll(&wait, 1, timeout_ms) <= 0)
		return true;
	length = read(terminal->master, text, sizeof(text));
	if (length <= 0)
		return length < 0 && (errno == EINTR || errno == EAGAIN);
	vterm_input_write(terminal->vterm, text, (size_t)length);
	length = (ssize_t)vterm_output_read(terminal->vterm, text, sizeof(text));
	return !length || write(terminal->master, text, (size_t)length) == length;
}

/* Return the text of the screen without trailing spaces. The caller frees it. */
static char *screen_text(const struct terminal *terminal)
{
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);
	char line[16384];

	for (int row = 0; row < terminal->rows; row++) {
		const VTermRect rect = { row, row + 1, 0, terminal->columns };
		size_t length =
			vterm_screen_get_text(terminal->screen, line, sizeof(line) - 1, rect);

		while (length && line[length - 1] == ' ')
			length--;
		fprintf(file, "%.*s\n", (int)length, line);
	}
	fclose(file);
	return text;
}

static bool shows(const struct terminal *terminal, const regex_t *pattern)
{
	char *text = screen_text(terminal);
	const bool found = !regexec(pattern, text, 0, NULL, 0);

	free(text);
	return found;
}

static int complain(const struct terminal *terminal, const char *what)
{
	char *text = screen_text(terminal);

	fprintf(stderr, "not come about: %s; the screen:\n%s", what, text);
	free(text);
	return -1;
}

/* Wait until the program has drawn the whole screen, because it does so by several writes. */
static void settle(struct terminal *terminal)
{
	struct pollfd wait = { .fd = terminal->master, .events = POLLIN };
	int pieces = 0;

	while (pieces++ < SETTLE_PIECES && poll(&wait, 1, SETTLE_MS) > 0)
		if (!take_output(terminal, 0))
			return;
}

static int wait_for(struct terminal *terminal, const char *step, const char *regex, bool wanted)
{
	const double end = now() + patience();
	regex_t pattern;
	bool alive = true, found;

	if (regcomp(&pattern, regex, REG_EXTENDED | REG_NEWLINE | REG_NOSUB))
		return complain(terminal, step);
	while ((found = shows(terminal, &pattern)) != wanted && alive && now() < end)
		alive = take_output(terminal, POLL_MS);
	regfree(&pattern);
	settle(terminal);
	return found == wanted ? 0 : complain(terminal, step);
}

static int wait_for_end(struct terminal *terminal, const char *step, int code)
{
	const double end = now() + patience();

	while (terminal->pid && now() < end) {
		if (!take_output(terminal, POLL_MS))
			usleep(POLL_MS * 1000);
		if (waitpid(terminal->pid, &terminal->status, WNOHANG) == terminal->pid)
			terminal->pid = 0;
	}
	while (!terminal->pid && take_output(terminal, 0) && now() < end)
		;
	if (terminal->pid)
		return complain(terminal, step);
	return WIFEXITED(terminal->status) && WEXITSTATUS(terminal->status) == code ?
		       0 :
		       complain(terminal, step);
}

static int resize(struct terminal *terminal, const char *step, const char *size)
{
	struct winsize window = { 0 };

	if (sscanf(size, "%dx%d", &terminal->rows, &terminal->columns) != 2)
		return complain(terminal, step);
	window.ws_row = (unsigned short)terminal->rows;
	window.ws_col = (unsigned short)terminal->columns;
	vterm_set_size(terminal->vterm, terminal->rows, terminal->columns);
	return ioctl(terminal->master, TIOCSWINSZ, &window);
}

static int write_text(const struct terminal *terminal, const char *path)
{
	char *text = screen_text(terminal);
	FILE *file = strcmp(path, "-") ? fopen(path, "w") : stdout;
	int ret = -1;

	if (file) {
		ret = fputs(text, file) < 0 ? -1 : 0;
		if (file != stdout)
			ret |= fclose(file);
	}
	free(text);
	return ret;
}

static int check_colors(const struct terminal *terminal, const char *step, bool wanted)
{
	bool found = false;
	VTermPos pos;

	for (pos.row = 0; pos.row < terminal->rows; pos.row++) {
		for (pos.col = 0; pos.col < terminal->columns; pos.col++) {
			VTermScreenCell cell;

			vterm_screen_get_cell(terminal->screen, pos, &cell);
			found |= !VTERM_COLOR_IS_DEFAULT_FG(&cell.fg) ||
				 !VTERM_COLOR_IS_DEFAULT_BG(&cell.bg);
		}
	}
	return found == wanted ? 0 : complain(terminal, step);
}

static int pass_time(struct terminal *terminal, double seconds)
{
	const double end = now() + seconds;

	while (now() < end)
		if (!take_output(terminal, POLL_MS))
			usleep(POLL_MS * 1000);
	return 0;
}

static int take_step(struct terminal *terminal, const char *step)
{
	const char *value = strchr(step, ':');

	if (!value)
		return complain(terminal, step);
	value++;
	if (!strncmp(step, "wait:", 5))
		return wait_for(terminal, step, value, true);
	if (!strncmp(step, "gone:", 5))
		return wait_for(terminal, step, value, false);
	if (!strncmp(step, "keys:", 5))
		return write(terminal->master, value, strlen(value)) < 0 ? -1 : 0;
	if (!strncmp(step, "size:", 5))
		return resize(terminal, step, value);
	if (!strncmp(step, "signal:", 7))
		return terminal->pid ? kill(terminal->pid, atoi(value)) : -1;
	if (!strncmp(step, "run:", 4))
		return system(value) ? complain(terminal, step) : 0;
	if (!strncmp(step, "sleep:", 6))
		return pass_time(terminal, atof(value) / 1000);
	if (!strncmp(step, "text:", 5))
		return write_text(terminal, value);
	if (!strncmp(step, "colors:", 7))
		return check_colors(terminal, step, *value == 'y');
	if (!strncmp(step, "dark:", 5) || !strncmp(step, "light:", 6))
		return terminal_picture(terminal->screen, terminal->rows, terminal->columns,
					*step == 'l', value);
	if (!strncmp(step, "exit:", 5))
		return wait_for_end(terminal, step, atoi(value));
	return complain(terminal, step);
}

int main(int argc, char **argv)
{
	struct terminal terminal = { 0 };
	int steps = 3, ret;

	while (steps < argc && strcmp(argv[steps], "--"))
		steps++;
	if (steps + 1 >= argc) {
		fprintf(stderr, "usage: terminal ROWS COLUMNS STEP... -- COMMAND...\n");
		return 2;
	}
	terminal.rows = atoi(argv[1]);
	terminal.columns = atoi(argv[2]);
	ret = open_terminal(&terminal, argv + steps + 1);
	for (int i = 3; i < steps && !ret; i++)
		ret = take_step(&terminal, argv[i]);
	if (terminal.pid > 0) {
		kill(terminal.pid, SIGKILL);
		waitpid(terminal.pid, NULL, 0);
	}
	vterm_free(terminal.vterm);
	return ret ? 1 : 0;
}
