import { onlineManager } from '@tanstack/react-query'
import { cleanup, configure } from '@testing-library/react'
import * as react from 'react'
import { afterEach, vi } from 'vitest'

// Files of a worker share page and packages, which load slowly; our modules and the page's state are reset.
vi.resetModules()
const { repetition } = await import('../src/lib/http/http')
if (typeof window !== 'undefined') {
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '', '/')
}
onlineManager.setOnline(true)

// Screens load their code lazily: on a busy machine that exceeds the default second.
configure({ asyncUtilTimeout: 8000 })

// React takes a stack for each element, for its own warnings, as long as this counter is low: a tenth of the test time.
Object.defineProperty(
  Reflect.get(react, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'),
  'recentlyCreatedOwnerStacks',
  { configurable: true, get: () => Number.POSITIVE_INFINITY, set: () => undefined },
)

// Retries without waiting.
repetition.pausesMs.fill(0)

afterEach(cleanup)

// jsdom lacks `showModal`; focus and Escape are tested in a browser.
if (typeof HTMLDialogElement !== 'undefined')
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.open = true
  }

// Queries by role compute styles from every rule, a fifth of the test time: only declarations that decide visibility stay (browsers test
// the rest: deploy/browser).
const unseenDeclaration = /(?<=[{;])(?!\s*(?:display|visibility|pointer-events)\s*:)[^{};]*(?:;|(?=\}))/g
const emptyRule = /[^{};]+\{\s*\}/g
if (typeof HTMLStyleElement !== 'undefined') {
  const { appendChild } = Node.prototype
  HTMLStyleElement.prototype.appendChild = function <T extends Node>(this: HTMLStyleElement, node: T): T {
    if (node.textContent)
      node.textContent = node.textContent.replaceAll(unseenDeclaration, '').replaceAll(emptyRule, '')
    if (node.textContent === '') this.type = 'text/plain'
    return appendChild.call(this, node) as T
  }
}

// jsdom searches all labels for each field: another seventh. This caches them.
const labelable = 'button, input:not([type="hidden"]), meter, output, progress, select, textarea'
const labels = {
  configurable: true,
  get(this: HTMLElement) {
    const belongsHere = (label: HTMLLabelElement) =>
      label.hasAttribute('for')
        ? label.htmlFor === this.id
        : label.contains(this) && label.querySelector(labelable) === this
    return [...this.ownerDocument.getElementsByTagName('label')].filter(belongsHere)
  },
}
if (typeof HTMLElement !== 'undefined')
  for (const { prototype } of [HTMLButtonElement, HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement])
    Object.defineProperty(prototype, 'labels', labels)
