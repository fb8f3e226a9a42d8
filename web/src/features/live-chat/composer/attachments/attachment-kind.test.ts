import { describe, expect, it } from 'vitest'
import { fileSize } from '../../file-size.ts'
import { kindsOf, refusalOf } from './attachment-kind.ts'

const megabyte = 1024 * 1024
const file = (name: string, type: string, size = 1_000) => ({ name, type, size })

describe('an attached file', () => {
  it('goes as what it is, or as a document', () => {
    expect(kindsOf(file('a.jpg', 'image/jpeg'))).toEqual(['image', 'document'])
    expect(kindsOf(file('a.mp4', 'video/mp4'))).toEqual(['video', 'document'])
    expect(kindsOf(file('a.ogg', 'audio/ogg; codecs=opus'))).toEqual(['audio', 'document'])
  })

  it('goes as a document when WhatsApp shows no such thing', () =>
    expect([file('a.heic', 'image/heic'), file('a.pdf', 'application/pdf'), file('a', '')].map(kindsOf)).toEqual([
      ['document'],
      ['document'],
      ['document'],
    ]))

  it('goes as a document when it is too large a video, as a picture however large, since that is made smaller', () => {
    expect(kindsOf(file('a.mp4', 'video/mp4', 65 * megabyte))).toEqual(['document'])
    expect(kindsOf(file('a.jpg', 'image/jpeg', 30 * megabyte))).toEqual(['image', 'document'])
  })

  it('is refused before anything is sent when it is empty, a program, or beyond the limit', () => {
    expect(refusalOf(file('a.txt', 'text/plain', 0), 'document')).toBe('O arquivo está vazio.')
    expect(refusalOf(file('Nota.PDF.exe', ''), 'document')).toBe('Programas não podem ser enviados.')
    expect(refusalOf(file('a.zip', '', 120 * megabyte), 'document')).toBe(
      'O arquivo tem 120 MB e o limite do WhatsApp é 100 MB.',
    )
    expect(refusalOf(file('a.zip', '', 100 * megabyte), 'document')).toBeNull()
  })
})

it('shows how large a file is as people say it', () =>
  expect([1, 340, 51_200, 1_258_291].map(fileSize)).toEqual(['1 byte', '340 bytes', '50 kB', '1,2 MB']))
