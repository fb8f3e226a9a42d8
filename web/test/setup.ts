import { onlineManager } from '@tanstack/react-query'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'

// The files of a worker share its page, and the packages, which take long to load. Nothing that one file left behind may decide
// another's test: each gets our own modules anew, and the page as a new visitor has it.
vi.resetModules()
const { repetition } = await import('../src/lib/http')
if (typeof window !== 'undefined') {
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '', '/')
}
onlineManager.setOnline(true)

// A screen loads its code lazily, and on a busy machine that takes longer than the library's one second.
configure({ asyncUtilTimeout: 8000 })

// Commands are repeated as often as ever, but nobody has to wait.
repetition.pausesMs.fill(0)

afterEach(cleanup)

// jsdom knows the element but neither opens nor closes it; what else a browser does (focus, Escape) is tested in one.
if (typeof HTMLDialogElement !== 'undefined')
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.open = true
  }

// A query by role asks jsdom for the whole style of each element, which tries every rule of the page and was a fifth of what these
// tests cost. What decides whether a person meets an element stays, and what then matches nothing is no style sheet; the rest is seen
// in real browsers only (deploy/browser).
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

// jsdom asks every label of the page for its control, for each field that is looked at: another seventh. This asks each once.
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
