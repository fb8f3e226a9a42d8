import { expect, it } from 'vitest'
import { mediaAddress } from './media-address.ts'

const address = (directPath: string | null, url: string | null, loopback = false) =>
  mediaAddress({ directPath, url }, { loopback })?.href

it('is one of WhatsApp', () => {
  expect(address('/v/t62.7118-24/1_n.enc?ccb=11', null)).toBe('https://mmg.whatsapp.net/v/t62.7118-24/1_n.enc?ccb=11')
  expect(address(null, 'https://media.fgru3-1.fna.whatsapp.net/v/1.enc')).toBe(
    'https://media.fgru3-1.fna.whatsapp.net/v/1.enc',
  )
  expect(address('/v/1', 'https://evil.example/1')).toBe('https://mmg.whatsapp.net/v/1')
})

it.each([
  'http://mmg.whatsapp.net/1',
  'https://whatsapp.net.evil.example/1',
  'https://evilwhatsapp.net/1',
  'https://mmg.whatsapp.net:8443/1',
  'https://user@mmg.whatsapp.net/1',
  'https://mmg.whatsapp.net\\@evil.example/1',
  'https://169.254.169.254/latest/meta-data',
  'http://127.0.0.1:5432/',
  'file:///etc/passwd',
  'nonsense',
  '',
])('is never %s', (url) => {
  expect(address(null, url)).toBeUndefined()
})

it.each(['//evil.example/1', '/\\evil.example/1', '\\\\evil.example', 'https://evil.example/1', '@evil.example/1'])(
  'is not led away by the path %s',
  (path) => expect(address(path, null)).toBeUndefined(),
)

it('may be on this machine only where there are simulated phones', () => {
  const url = 'http://127.0.0.1:4000/abc'
  expect(address(null, url)).toBeUndefined()
  expect(address(null, url, true)).toBe(url)
  for (const elsewhere of ['http://192.168.0.1/', 'http://127.0.0.1.evil.example/', 'http://a@127.0.0.1/'])
    expect(address(null, elsewhere, true)).toBeUndefined()
})
