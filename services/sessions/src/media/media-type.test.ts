import { describe, expect, it } from 'vitest'
import { acceptedType } from './accepted-type.ts'
import { findMediaType, isProgram } from './media-type.ts'
import * as files from './testing/files.ts'

const typeOf = (file: Buffer | string) => {
  const data = Buffer.from(file as string)
  return findMediaType(async (from, length) => data.subarray(from, from + length))
}

describe('the type of a file, by its bytes', () => {
  it.each<[string, Buffer | string, string]>([
    ['a PNG', files.png, 'image/png'],
    ['a JPEG', files.jpeg, 'image/jpeg'],
    ['a WebP', files.webp, 'image/webp'],
    ['a film', files.mp4, 'video/mp4'],
    ['a voice message', files.opus, 'audio/ogg'],
    ['a PDF', files.pdf, 'application/pdf'],
    ['a Word document', files.docx, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['an archive', files.zip({ 'a.txt': 'x' }), 'application/zip'],
    ['an older Word document', files.compoundFile(['1Table', 'WordDocument']), 'application/msword'],
    ['an older table', files.compoundFile(['Workbook']), 'application/vnd.ms-excel'],
    ['older slides', files.compoundFile(['Current User', 'PowerPoint Document']), 'application/vnd.ms-powerpoint'],
    ['something else in that format', files.compoundFile(['Something']), 'application/x-cfb'],
    ['half a file of that format', files.compoundFile([]).subarray(0, 300), 'application/x-cfb'],
    ['an installer', files.compoundFile([], '84100c0000000000c000000000000046'), 'application/x-msi'],
    ['a program for Windows', files.exe, 'application/x-msdownload'],
    ['a program for Linux', files.elf, 'application/x-elf'],
    ['a program for macOS', files.machO, 'application/x-mach-binary'],
    ['a text', 'Olá, tudo bem?\nSim, tudo.\nE aí, como vai?\n', 'text/plain'],
    ['a text in an older encoding', Buffer.from('Promoção de verão\n', 'latin1'), 'text/plain'],
    ['a table with semicolons', 'nome;telefone\nAna;11\nRui;12\n', 'text/csv'],
    ['a table with commas', 'nome,telefone,cidade\nAna,11,SP\nRui,12,RJ', 'text/csv'],
    ['a page', '  <!DOCTYPE html><html><script>alert(1)</script></html>', 'text/html'],
    ['a page without a beginning', '<script>alert(1)</script>', 'text/html'],
    ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'image/svg+xml'],
    ['a drawing with a declaration', '<?xml version="1.0"?>\n<svg onload="alert(1)"></svg>', 'image/svg+xml'],
    ['other XML', '<?xml version="1.0"?><nfe></nfe>', 'application/xml'],
    ['who knows what', Buffer.from([1, 2, 3, 0, 255, 254]), 'application/octet-stream'],
  ])('of %s', async (_, file, type) => {
    expect(await typeOf(file)).toBe(type)
  })

  it('never fails over a file that breaks off anywhere', async () => {
    for (const whole of [
      files.png,
      files.webp,
      files.mp4,
      files.opus,
      files.docx,
      files.pdf,
      files.compoundFile(['Book']),
    ])
      for (let length = 1; length < whole.length; length += 7)
        expect(await typeOf(whole.subarray(0, length))).toMatch(/^\w+\/[\w.+-]+$/)
  })

  it('distinguishes programs from all others', async () => {
    const installer = files.compoundFile([], '84100c0000000000c000000000000046')
    for (const program of [files.exe, files.elf, files.machO, installer])
      expect(isProgram(await typeOf(program))).toBe(true)
    for (const file of [files.pdf, files.docx, files.png]) expect(isProgram(await typeOf(file))).toBe(false)
    expect(isProgram('application/vnd.android.package-archive')).toBe(false)
  })
})

describe('what a file counts as', () => {
  it.each([
    ['image', 'image/jpeg', 'image/jpeg'],
    ['image', 'image/svg+xml', undefined],
    ['image', 'text/html', undefined],
    ['sticker', 'image/webp', 'image/webp'],
    ['video', 'video/mp4', 'video/mp4'],
    ['video', 'image/png', undefined],
    ['audio', 'audio/ogg', 'audio/ogg'],
    ['audio', 'video/mp4', 'audio/mp4'],
    ['audio', 'application/x-msdownload', undefined],
    ['document', 'text/html', 'text/html'],
  ] as const)('sent as %s, %s is %s', (kind, type, accepted) => {
    expect(acceptedType(kind, type)).toBe(accepted)
  })
})
