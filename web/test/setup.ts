import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// A screen loads its code lazily, and on a busy machine that takes longer than the library's one second.
configure({ asyncUtilTimeout: 8000 })

afterEach(cleanup)

// jsdom knows the element but neither opens nor closes it; what else a browser does (focus, Escape) is tested in one.
if (typeof HTMLDialogElement !== 'undefined')
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.open = true
  }
