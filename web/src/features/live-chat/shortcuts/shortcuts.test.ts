import { expect, it } from 'vitest'
import { shortcutHelp } from './shortcut-help.ts'
import { isText, shortcutOf, worksWhileTyping } from './shortcuts.ts'

const pressed = (key: string, modifier = {}) => ({
  ...{ key, ctrlKey: false, shiftKey: false, metaKey: false, altKey: false },
  ...modifier,
})
const press = (key: string, modifier = {}) => shortcutOf(pressed(key, modifier))

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
  expect(places).toEqual(['G C', 'G L', 'G F', 'G W', 'G S', 'G A'])
})

it('finds in the conversation with Ctrl and Shift, also while typing, and leaves the browser what it has there itself', () => {
  const both = { ctrlKey: true, shiftKey: true }
  expect(['F', 'f', 'I', 'O', 'M'].map((key) => press(key, both))).toEqual(['find', 'find', null, null, null])
  expect([press('f', { ctrlKey: true }), press('F', { shiftKey: true })]).toEqual([null, 'write'])
  expect(worksWhileTyping(pressed('f', both))).toBe(true)
  expect(shortcutHelp).toContainEqual({ keys: ['Ctrl', 'Shift', 'F'], does: 'Buscar na conversa' })
})

it('attaches, records and shows details with Ctrl, also while typing; the other keys stay with the text', () => {
  const withControl = ['o', 'M', 'i'].map((key) => pressed(key, { ctrlKey: true }))
  expect(withControl.map(shortcutOf)).toEqual(['attach', 'record', 'details'])
  expect(withControl.every(worksWhileTyping)).toBe(true)
  expect(['a', '/', 'o', 'Escape'].map((key) => pressed(key)).some(worksWhileTyping)).toBe(false)
})

it('accepts, finishes and goes on to the next with a modifier, also while typing; what Alt and a letter write stays text', () => {
  const both = { ctrlKey: true, shiftKey: true }
  const keys = [pressed('A', both), pressed('E', both), pressed('ArrowDown', { altKey: true })]
  expect(keys.map(shortcutOf)).toEqual(['accept', 'resolve', 'next'])
  expect(keys.every(worksWhileTyping)).toBe(true)
  expect(['a', 'e', 'n', 'Dead'].map((key) => press(key, { altKey: true }))).toEqual([null, null, null, null])
})

it('knows what would be written: letters, digits and accents, not what has another use everywhere', () => {
  expect(['a', 'É', '2', '/', 'Dead', '😀'].map((key) => isText(pressed(key)))).toEqual(Array(6).fill(true))
  expect([' ', '?', 'Enter', 'Tab', 'F8', 'ArrowUp'].map((key) => isText(pressed(key)))).toEqual(Array(6).fill(false))
  expect(isText(pressed('a', { ctrlKey: true }))).toBe(false)
})
