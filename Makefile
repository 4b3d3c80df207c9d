# SPDX-License-Identifier: Apache-2.0
# Short names for what people do most. The work is in scripts/.

PREFIX ?= /usr/local
DESTDIR ?=

.DEFAULT_GOAL := help
.PHONY: help demo test build check check-root install uninstall clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

demo: ## install what is missing, build, and show two daemons in step
	@scripts/deps build
	@scripts/demo

test: ## install what is missing, build, and run the tests
	@scripts/deps build
	@scripts/test

build: ## release build of navsyncd and navsyncctl
	@scripts/deps build
	@scripts/build release

check: ## everything that CI runs
	@scripts/check

check-root: ## the tests that need root: namespaces, full disks, a real systemd
	@scripts/check-root

install: ## install below $(PREFIX) (PREFIX=/usr/local, DESTDIR=)
	@scripts/install --prefix "$(PREFIX)" --destdir "$(DESTDIR)"

uninstall: ## remove exactly what install put there
	@scripts/install --remove --prefix "$(PREFIX)" --destdir "$(DESTDIR)"

clean: ## remove what builds and checks made
	@rm -rf .build build dist
