import type { Transaction } from '@prosa/contracts/http/accounts/transactions'
import type { Instant } from '@prosa/contracts/values/instant'
import type { TransactionStatus } from '@prosa/contracts/values/kiwify'
import type PDFDocument from 'pdfkit'

/** Windows-1252 beyond Latin-1, as in standard PDF fonts. */
const beyondLatin1 = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'

const isPrintable = (character: string): boolean =>
  /[\x20-\x7e\xa1-\xff]/.test(character) || beyondLatin1.includes(character)

/** Others lose marks or become '?'. */
export const printable = (text: string): string =>
  [
    ...text
      .normalize('NFC')
      .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
      .trim(),
  ]
    .map((character) => {
      if (isPrintable(character)) return character
      const bare = character.normalize('NFKD').replace(/\p{M}/gu, '')
      return bare !== '' && [...bare].every(isPrintable) ? bare : '?'
    })
    .join('')

export interface Seller {
  name: string
  document?: string | undefined
  address?: string | undefined
  email?: string | undefined
}

/** The company's fields first. */
export interface Buyer {
  name: string
  email: string | null
  company?: { name: string; address: string } | undefined
}

const linesOf = ({ name, email, company }: Buyer): (string | null | undefined)[] => [
  company?.name,
  name,
  email,
  company?.address,
]

export interface Receipt {
  transaction: Transaction
  seller: Seller
  /** Null: unclaimed and unnamed. */
  buyer: Buyer | null
  issuedAt: Instant
}

const kinds: Record<TransactionStatus, { title: string; status: string; sentence: string }> = {
  approved: { title: 'Recibo', status: 'Aprovado', sentence: 'Recebemos o pagamento abaixo.' },
  refunded: { title: 'Recibo', status: 'Reembolsado', sentence: 'O pagamento abaixo foi devolvido.' },
  pending: { title: 'Demonstrativo', status: 'Pendente', sentence: 'O pagamento abaixo ainda não foi confirmado.' },
  declined: { title: 'Demonstrativo', status: 'Recusado', sentence: 'O pagamento abaixo foi recusado.' },
}

const methods: Record<string, string> = { credit_card: 'Cartão de crédito', pix: 'Pix', boleto: 'Boleto' }

const reais = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })
const moment = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  dateStyle: 'long',
  timeStyle: 'short',
})
const momentOf = (instant: Instant) => `${moment.format(Date.parse(instant))} (horário de Brasília)`

const ink = { text: '#1e211f', muted: '#5b6059', line: '#ddd9cf' }
const [margin, width] = [56, 595.28 - 2 * 56]
const bold = 'Helvetica-Bold'
const plain = 'Helvetica'

type Pdf = InstanceType<typeof PDFDocument>

/** Its fonts and tables take a twelfth of the time in which a process starts, for what is rarely asked for. */
const loadPdfkit = () => import('pdfkit')

const line = (pdf: Pdf, y: number) =>
  pdf
    .moveTo(margin, y)
    .lineTo(margin + width, y)
    .lineWidth(0.75)
    .strokeColor(ink.line)
    .stroke()

/** Returns the next y. */
const party = (
  pdf: Pdf,
  x: number,
  y: number,
  title: string,
  lines: readonly (string | null | undefined)[],
): number => {
  const column = width / 2 - 12
  pdf.font(plain).fontSize(9).fillColor(ink.muted).text(title, x, y, { width: column })
  lines
    .flatMap((text) => (text ? [printable(text)] : []))
    .forEach((text, index) => {
      pdf
        .font(index === 0 ? bold : plain)
        .fontSize(11)
        .fillColor(ink.text)
        .text(text, x, pdf.y + 4, { width: column })
    })
  return pdf.y
}

/** Returns the next y. */
const row = (pdf: Pdf, y: number, name: string, value: string): number => {
  pdf.font(plain).fontSize(11).fillColor(ink.muted).text(name, margin, y, { width: 150 })
  pdf.fillColor(ink.text).text(value, margin + 150, y, { width: width - 150 })
  line(pdf, pdf.y + 8)
  return pdf.y + 18
}

const bytesOf = (pdf: Pdf): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    pdf.on('data', (part: Buffer) => parts.push(part))
    pdf.on('end', () => resolve(Buffer.concat(parts)))
    pdf.on('error', reject)
    pdf.end()
  })

/** No nota fiscal. Standard fonts, none embedded. `compress: false` only for tests. */
export const receiptPdf = async (
  { transaction, seller, buyer, issuedAt }: Receipt,
  { compress = true }: { compress?: boolean } = {},
): Promise<Buffer> => {
  const { title, status, sentence } = kinds[transaction.status]
  const number = printable(transaction.transactionId)
  const amount = transaction.amount === null ? 'Não informado' : printable(reais.format(transaction.amount / 100))
  const { default: Document } = await loadPdfkit()
  const pdf = new Document({
    size: 'A4',
    margin,
    compress,
    lang: 'pt-BR',
    displayTitle: true,
    info: { Title: `${title} ${number}`, Author: printable(seller.name), CreationDate: new Date(issuedAt) },
  })
  pdf.font(bold).fontSize(24).fillColor(ink.text).text(title, margin, margin)
  pdf
    .font(plain)
    .fontSize(11)
    .fillColor(ink.muted)
    .text(`Nº ${number}`, margin, pdf.y + 2)
  pdf.fillColor(ink.text).text(sentence, margin, pdf.y + 14, { width })
  const parties = pdf.y + 22
  const ends = [
    party(pdf, margin, parties, 'Vendedor', [seller.name, seller.document, seller.address, seller.email]),
    party(pdf, margin + width / 2, parties, 'Comprador', buyer ? linesOf(buyer) : ['Não informado']),
  ]
  let y = Math.max(...ends) + 20
  line(pdf, y)
  y += 12
  y = row(pdf, y, 'Produto', printable(transaction.productName ?? 'Não informado'))
  y = row(pdf, y, 'Data', momentOf(transaction.createdAt))
  const { paymentMethod } = transaction
  y = row(
    pdf,
    y,
    'Forma de pagamento',
    paymentMethod ? (methods[paymentMethod] ?? printable(paymentMethod)) : 'Não informada',
  )
  y = row(pdf, y, 'Situação', status)
  pdf
    .font(bold)
    .fontSize(14)
    .fillColor(ink.text)
    .text('Valor', margin, y + 6, { width: 150 })
  pdf.text(amount, margin + 150, y + 6, { width: width - 150 })
  pdf
    .font(plain)
    .fontSize(9)
    .fillColor(ink.muted)
    .text(`Este documento não é uma nota fiscal. Emitido em ${momentOf(issuedAt)}.`, margin, pdf.y + 28, { width })
  return bytesOf(pdf)
}
