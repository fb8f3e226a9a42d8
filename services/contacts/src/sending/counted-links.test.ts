import { describe, expect, it } from 'vitest'
import { withCountedLinks, withCountedLinksIn } from './counted-links.ts'

const links = [
  { token: 'aaaaaaaaaaaaaaaa', url: 'https://padaria.example/menu' },
  { token: 'bbbbbbbbbbbbbbbb', url: 'https://padaria.example/menu/bolos' },
]
const counted = (text: string) => withCountedLinks(text, links, 'https://prosa.example')

describe('the links of a flow’s message', () => {
  it('lead through Prosa, each by its own token, and the words around them stay', () =>
    expect(counted('Veja https://padaria.example/menu/bolos, ou (https://padaria.example/menu).')).toBe(
      'Veja https://prosa.example/r/bbbbbbbbbbbbbbbb, ou (https://prosa.example/r/aaaaaaaaaaaaaaaa).',
    ))
  it('that the flow did not have itself stay as they are', () => {
    const text = 'Você mandou https://padaria.example/menus e http://outro.example/x'
    expect(counted(text)).toBe(text)
  })
  it('are found in a caption too, and nowhere else', () => {
    const file = { id: 'f', mediaType: 'image/png', bytes: 1, source: null }
    const picture = { kind: 'image', file, caption: 'https://padaria.example/menu' } as const
    expect(withCountedLinksIn(picture, links, 'https://prosa.example')).toEqual({
      ...picture,
      caption: 'https://prosa.example/r/aaaaaaaaaaaaaaaa',
    })
    const voice = { kind: 'audio', file, voice: true } as const
    expect(withCountedLinksIn(voice, links, 'https://prosa.example')).toEqual(voice)
  })
})
