import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { tracesOf } from './traces.ts'

const planted = 'Bia “Plantada” Comprou'
const among = (form: string) => [
  `${randomBytes(50).toString('hex')}${form}${randomBytes(50).toString('hex')}`,
  Buffer.concat([randomBytes(50), Buffer.from(form), randomBytes(50)]),
]

it.each([
  ['as it is', planted],
  ['in JSON', JSON.stringify(planted).slice(1, -1)],
  ['in JSON of plain letters', 'Bia \\u201cPlantada\\u201d Comprou'],
  ['in hexadecimal', Buffer.from(planted).toString('hex')],
  ...[0, 1, 2].map((before) => [
    `in base64 after ${before} bytes`,
    Buffer.from(`${'x'.repeat(before)}${planted} etc.`).toString('base64'),
  ]),
])('finds a text %s, in text and in bytes', (_, form = '') => {
  for (const searched of [...among(form), form, Buffer.from(form)])
    expect(tracesOf(['nobody', planted, 'nothing'], searched)).toEqual([planted])
  for (const cut of among(form.slice(0, -16))) expect(tracesOf([planted], cut)).toEqual([])
})

it('finds each of many, of which one is the beginning of another, once and in their order', () => {
  const texts = ['planta-10', 'planta-1', 'planta-2', 'uva-doce', 'é-noite']
  expect(tracesOf(texts, 'planta-planta-10; uva-doce, é-noite')).toEqual([
    'planta-10',
    'planta-1',
    'uva-doce',
    'é-noite',
  ])
  expect(tracesOf(texts, 'planta')).toEqual([])
  expect(tracesOf(texts, '')).toEqual([])
})
