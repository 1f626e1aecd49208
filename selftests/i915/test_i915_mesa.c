// SPDX-License-Identifier: MIT
/*
 * test_i915_mesa.c - Mesa on the stock i915 on the virtual GPU: a context, a clear, and a query of
 * OA metrics with GL_INTEL_performance_query.
 *
 * EGL is loaded at run time. Without it, or without a Mesa driver for the GPU, all tests are
 * skipped.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#define GL_GLEXT_PROTOTYPES
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>

#include "../kselftest_harness.h"
#include "../vgpu.h"
#include "i915.h"

#define SIZE 64
#define MAX_QUERY 8192

/* Functions that are loaded at run time, named without prefix */
#define EGL_FUNCTIONS(F)                                                                   \
	F(EGLDisplay, eglGetPlatformDisplay, EGLenum, void *, const EGLAttrib *)           \
	F(EGLBoolean, eglInitialize, EGLDisplay, EGLint *, EGLint *)                       \
	F(EGLBoolean, eglBindAPI, EGLenum)                                                 \
	F(EGLContext, eglCreateContext, EGLDisplay, EGLConfig, EGLContext, const EGLint *) \
	F(EGLBoolean, eglMakeCurrent, EGLDisplay, EGLSurface, EGLSurface, EGLContext)      \
	F(EGLBoolean, eglTerminate, EGLDisplay)

#define GL_FUNCTIONS(F)                                                                          \
	F(const GLubyte *, glGetString, GLenum)                                                  \
	F(GLenum, glGetError, void)                                                              \
	F(void, glGenTextures, GLsizei, GLuint *)                                                \
	F(void, glBindTexture, GLenum, GLuint)                                                   \
	F(void, glTexImage2D, GLenum, GLint, GLint, GLsizei, GLsizei, GLint, GLenum, GLenum,     \
	  const void *)                                                                          \
	F(void, glGenFramebuffers, GLsizei, GLuint *)                                            \
	F(void, glBindFramebuffer, GLenum, GLuint)                                               \
	F(void, glFramebufferTexture2D, GLenum, GLenum, GLenum, GLuint, GLint)                   \
	F(GLenum, glCheckFramebufferStatus, GLenum)                                              \
	F(void, glClearColor, GLfloat, GLfloat, GLfloat, GLfloat)                                \
	F(void, glClear, GLbitfield)                                                             \
	F(void, glFinish, void)                                                                  \
	F(void, glGetFirstPerfQueryIdINTEL, GLuint *)                                            \
	F(void, glGetNextPerfQueryIdINTEL, GLuint, GLuint *)                                     \
	F(void, glGetPerfQueryInfoINTEL, GLuint, GLuint, GLchar *, GLuint *, GLuint *, GLuint *, \
	  GLuint *)                                                                              \
	F(void, glGetPerfCounterInfoINTEL, GLuint, GLuint, GLuint, GLchar *, GLuint, GLchar *,   \
	  GLuint *, GLuint *, GLuint *, GLuint *, GLuint64 *)                                    \
	F(void, glCreatePerfQueryINTEL, GLuint, GLuint *)                                        \
	F(void, glDeletePerfQueryINTEL, GLuint)                                                  \
	F(void, glBeginPerfQueryINTEL, GLuint)                                                   \
	F(void, glEndPerfQueryINTEL, GLuint)                                                     \
	F(void, glGetPerfQueryDataINTEL, GLuint, GLuint, GLsizei, void *, GLuint *)

#define DECLARE(type, name, ...) static type (*p_##name)(__VA_ARGS__);
EGL_FUNCTIONS(DECLARE)
GL_FUNCTIONS(DECLARE)

static void *(*get_proc)(const char *name);

static bool load(void)
{
	void *egl = dlopen("libEGL.so.1", RTLD_NOW);
	bool all = true;

	if (!egl)
		return false;
	*(void **)&get_proc = dlsym(egl, "eglGetProcAddress");
#define FIND_EGL(type, name, ...) all &= !!(*(void **)&p_##name = dlsym(egl, #name));
	EGL_FUNCTIONS(FIND_EGL)
#define FIND_GL(type, name, ...) all &= !!(*(void **)&p_##name = get_proc(#name));
	if (get_proc) {
		GL_FUNCTIONS(FIND_GL)
	}

	return all && get_proc;
}

FIXTURE(mesa)
{
	EGLDisplay display;
	bool usable;
	int64_t resets;
};

static int64_t resets(void)
{
	char *statistics = vgpu_ask("statistics");
	int64_t n = vgpu_number(statistics, "resets");

	free(statistics);

	return n;
}

static bool make_context(EGLDisplay *display)
{
	static const EGLint attributes[] = { EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE };
	EGLContext context;

	*display = p_eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL);
	if (!*display || !p_eglInitialize(*display, NULL, NULL))
		return false;
	p_eglBindAPI(EGL_OPENGL_ES_API);
	context = p_eglCreateContext(*display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);

	return context && p_eglMakeCurrent(*display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) &&
	       strstr((const char *)p_glGetString(GL_RENDERER), "Intel");
}

FIXTURE_SETUP(mesa)
{
	self->resets = resets();
	self->usable = load() && make_context(&self->display);
	if (self->usable)
		printf("# %s\n", p_glGetString(GL_RENDERER));
}

/* The virtual GPU has not reset any engine, so no batch hung. */
FIXTURE_TEARDOWN(mesa)
{
	EXPECT_EQ(self->resets, resets());
	if (self->usable)
		p_eglTerminate(self->display);
}

static void clear(void)
{
	GLuint texture, framebuffer;

	p_glGenTextures(1, &texture);
	p_glBindTexture(GL_TEXTURE_2D, texture);
	p_glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
	p_glGenFramebuffers(1, &framebuffer);
	p_glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	p_glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
	p_glClearColor(1, 0, 0, 1);
	p_glClear(GL_COLOR_BUFFER_BIT);
	p_glFinish();
}

TEST_F(mesa, clear_does_not_hang)
{
	if (!self->usable)
		SKIP(return, "there is no Mesa for this GPU");
	clear();
	EXPECT_EQ(GL_FRAMEBUFFER_COMPLETE, p_glCheckFramebufferStatus(GL_FRAMEBUFFER));
	EXPECT_EQ(GL_NO_ERROR, p_glGetError());
}

/* Get the id of the query of the metric set RenderBasic, or 0. */
static GLuint find_query(GLuint *size, GLuint *n_counters)
{
	GLuint query = 0, instances, caps;
	char name[256];

	for (p_glGetFirstPerfQueryIdINTEL(&query); query && p_glGetError() == GL_NO_ERROR;
	     p_glGetNextPerfQueryIdINTEL(query, &query)) {
		p_glGetPerfQueryInfoINTEL(query, sizeof(name), name, size, n_counters, &instances,
					  &caps);
		if (!strcmp(name, "Render Metrics Basic set") ||
		    !strcmp(name, "Render Metrics Basic Gen9") ||
		    strstr(name, "Render Metrics Basic"))
			return query;
	}

	return 0;
}

/* Get the value of a 64-bit counter, or -1. */
static int64_t counter(GLuint query, GLuint n, const char *wanted, const uint8_t *data)
{
	GLuint i, offset, size, type, data_type;
	char name[256], text[1024];
	GLuint64 most;
	int64_t value;

	for (i = 1; i <= n; i++) {
		p_glGetPerfCounterInfoINTEL(query, i, sizeof(name), name, sizeof(text), text,
					    &offset, &size, &type, &data_type, &most);
		if (strcmp(name, wanted) || size != sizeof(value))
			continue;
		memcpy(&value, data + offset, sizeof(value));
		return value;
	}

	return -1;
}

TEST_F(mesa, query_returns_metrics)
{
	GLuint query, size, n, handle, written = 0;
	uint8_t *data;

	if (!self->usable)
		SKIP(return, "there is no Mesa for this GPU");
	query = find_query(&size, &n);
	ASSERT_NE(0, query);
	data = calloc(1, size);
	ASSERT_NE(NULL, data);
	p_glCreatePerfQueryINTEL(query, &handle);
	p_glBeginPerfQueryINTEL(handle);
	clear();
	p_glEndPerfQueryINTEL(handle);
	p_glGetPerfQueryDataINTEL(handle, GL_PERFQUERY_WAIT_INTEL, size, data, &written);
	EXPECT_EQ(GL_NO_ERROR, p_glGetError());
	EXPECT_EQ(size, written);
	EXPECT_LT(0, counter(query, n, "GPU Time Elapsed", data));
	EXPECT_LT(0, counter(query, n, "GPU Core Clocks", data));
	p_glDeletePerfQueryINTEL(handle);
	free(data);
}

TEST_HARNESS_MAIN
