import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'
import { repetition } from '../src/lib/http'

// A screen loads its code lazily, and on a busy machine that takes longer than the library's one second.
configure({ asyncUtilTimeout: 8000 })

// Commands are repeated as often as ever, but nobody has to wait.
repetition.pausesMilliseconds.fill(0)

afterEach(cleanup)

// jsdom knows the element but neither opens nor closes it; what else a browser does (focus, Escape) is tested in one.
if (typeof HTMLDialogElement !== 'undefined')
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.open = true
  }
