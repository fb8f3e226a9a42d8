import { expect, it } from 'vitest'
import { shortcutHelp, shortcutOf, worksWhileTyping } from './shortcuts.ts'

const press = (key: string, modifier = {}) =>
  shortcutOf({ key, ctrlKey: false, shiftKey: false, metaKey: false, altKey: false, ...modifier })

it('knows the keys of live chat in either case', () => {
  expect(
    ['j', 'K', 'ArrowDown', 'Enter', '1', 'A', 'e', 'n', 'r', '/', 'Escape', '?'].map((key) => press(key)),
  ).toEqual(['down', 'up', 'down', 'open', 'waiting', 'accept', 'resolve', 'next', 'reply', 'search', 'back', 'help'])
})

it('takes any other letter, also one with an accent, as the start of a message', () =>
  expect(['o', 'B', 'é', 'ç'].map((key) => press(key))).toEqual(['write', 'write', 'write', 'write']))

it('leaves combinations, function keys and G to others', () =>
  expect([press('a', { ctrlKey: true }), press('e', { metaKey: true }), press('F5'), press('g'), press('Tab')]).toEqual(
    [null, null, null, null, null],
  ))

it('explains every key that does something, also those of the shell and of what has the focus', () => {
  const explained = shortcutHelp.flatMap(({ keys }) => keys)
  expect(explained).toEqual(
    expect.arrayContaining([
      '↑',
      '↓',
      'Enter',
      '1',
      '2',
      '3',
      'A',
      'E',
      'N',
      'R',
      '/',
      'Esc',
      '?',
      'Home',
      'End',
      'F8',
    ]),
  )
  const places = shortcutHelp.filter(({ keys }) => keys[0] === 'G').map(({ keys }) => keys.join(' '))
  expect(places).toEqual(['G C', 'G L', 'G W', 'G S'])
})

it('finds in the conversation with Ctrl and Shift, also while typing, and leaves the browser what it has there itself', () => {
  const both = { ctrlKey: true, shiftKey: true }
  expect(['F', 'f', 'I', 'O', 'M'].map((key) => press(key, both))).toEqual(['find', 'find', null, null, null])
  expect([press('f', { ctrlKey: true }), press('F', { shiftKey: true })]).toEqual([null, 'write'])
  expect(worksWhileTyping('find')).toBe(true)
  expect(shortcutHelp).toContainEqual({ keys: ['Ctrl', 'Shift', 'F'], says: 'Buscar na conversa' })
})

it('attaches, records and shows details with Ctrl, also while typing; the other keys stay with the text', () => {
  const pressed = ['o', 'M', 'i'].map((key) => press(key, { ctrlKey: true }))
  expect(pressed).toEqual(['attach', 'record', 'details'])
  expect(pressed.every((shortcut) => shortcut !== null && worksWhileTyping(shortcut))).toBe(true)
  expect((['accept', 'search', 'write', 'back'] as const).some(worksWhileTyping)).toBe(false)
})
