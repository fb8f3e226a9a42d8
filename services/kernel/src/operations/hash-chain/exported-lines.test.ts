import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { sha256 } from './block.ts'
import {
  type ExportFault,
  type ExportFormat,
  type ExportProof,
  linkOf,
  noLink,
  proofLine,
  verifyExport,
  withLink,
} from './exported-lines.ts'

const sign = (text: string) => sha256(`key ${text}`)

const fileOf = (format: ExportFormat, events = 5): string[] => {
  const head = format === 'csv' ? ['\uFEFFposição;frase;elo\n'] : []
  let chain = format === 'csv' ? linkOf(noLink, 'posição;frase;elo') : noLink
  const lines = Array.from({ length: events }, (_, index) => {
    const text = `Ana disse "oi"; e foi ${index}`
    const line =
      format === 'csv' ? `${index};"${text.replaceAll('"', '""')}"` : JSON.stringify({ posicao: index, frase: text })
    chain = linkOf(chain, line)
    return withLink(format, line, chain)
  })
  const proof: ExportProof = {
    version: 1,
    format,
    ...{ madeAt: '2026-11-27T10:00:00.000Z', logId: 'log', from: '0', to: '9', filters: {} },
    ...{ count: events, chain },
  }
  return [...head, ...lines, proofLine(format, proof, sign)]
}
const verified = (lines: readonly string[]) => verifyExport(Readable.from([lines.join('')]), sign)
const faultsOf = async (lines: readonly string[]) => (await verified(lines)).faults

describe.each(['csv', 'ndjson'] as const)('an export as %s', (format) => {
  const first = format === 'csv' ? 1 : 0

  it('is whole as it was made, also after an editor changed its line breaks, and without events', async () => {
    const lines = fileOf(format)
    expect(await verified(lines)).toMatchObject({ count: 5, faults: [], proof: { to: '9', count: 5 } })
    expect(await faultsOf(lines.map((line) => line.replace('\n', '\r\n')))).toEqual([])
    expect(await verified(fileOf(format, 0))).toMatchObject({ count: 0, faults: [] })
  })

  it('names the first line that was changed, taken out, put in, swapped or repeated', async () => {
    const changes: Record<string, (lines: string[]) => void> = {
      changed: (lines) => {
        lines[first + 2] = (lines[first + 2] ?? '').replace('foi 2', 'foi 9')
      },
      'taken out': (lines) => void lines.splice(first + 2, 1),
      'put in': (lines) => void lines.splice(first + 2, 0, 'x;y\n'),
      repeated: (lines) => void lines.splice(first + 2, 0, lines[first + 1] ?? ''),
      swapped: (lines) => void lines.splice(first + 2, 2, lines[first + 3] ?? '', lines[first + 2] ?? ''),
    }
    for (const [name, change] of Object.entries(changes)) {
      const lines = fileOf(format)
      change(lines)
      const [fault] = await faultsOf(lines)
      expect([name, fault]).toEqual([name, { kind: 'changed', line: first + 3 }])
    }
  })

  it('shows that its last or first events are missing', async () => {
    const kinds = (faults: readonly ExportFault[]) => faults.map(({ kind }) => kind)
    const short = fileOf(format)
    short.splice(first + 4, 1)
    expect(kinds(await faultsOf(short))).toEqual(['count', 'chain'])
    const late = fileOf(format)
    late.splice(first, 1)
    expect(kinds(await faultsOf(late))).toEqual(['changed', 'count'])
  })

  it('has no proof where it was cut off, and nothing behind it', async () => {
    expect(await faultsOf(fileOf(format).slice(0, -1))).toEqual([{ kind: 'unproved' }])
    expect(await faultsOf([...fileOf(format), 'more\n'])).toEqual([{ kind: 'after the proof' }])
    expect(await faultsOf(['garbage\n', '\0\n'])).toMatchObject([{ kind: 'changed' }, { kind: 'unproved' }])
    expect(await faultsOf([])).toEqual([{ kind: 'unproved' }])
  })

  it('that was made anew has no signature of this installation', async () => {
    const lines = fileOf(format)
    lines[lines.length - 1] = (lines.at(-1) ?? '').replace('2026-11-27', '2026-11-26')
    expect(await faultsOf(lines)).toEqual([{ kind: 'unsigned' }])
    expect((await verifyExport(Readable.from([lines.join('')]))).faults).toEqual([])
  })
})

it('titles of a CSV are part of its chain', async () => {
  const [titles = '', ...others] = fileOf('csv')
  expect(await faultsOf([titles.replace('frase', 'outra'), ...others])).toMatchObject([{ kind: 'changed', line: 2 }])
})
