const cpf = /^\d{11}$/
/** Since July 2026 the first twelve may be letters (Receita Federal, IN RFB 2.229/2024). */
const cnpj = /^[0-9A-Z]{12}\d{2}$/

/** Weights grow from the right, from 2 to `max`. A letter counts as its ASCII code less 48, as a digit does. */
const checkDigit = (characters: string, max: number): number => {
  let sum = 0
  for (let at = 0; at < characters.length; at++) {
    const fromRight = characters.length - 1 - at
    sum += (characters.charCodeAt(at) - 48) * (2 + (fromRight % (max - 1)))
  }
  return ((sum * 10) % 11) % 10
}

const isChecked = (number: string, length: number, max: number): boolean =>
  checkDigit(number.slice(0, length), max) === Number(number.charAt(length)) &&
  checkDigit(number.slice(0, length + 1), max) === Number(number.charAt(length + 1))

/** '00000000000' passes the digits, and is nobody's. */
const isOneCharacter = (number: string): boolean => [...number].every((character) => character === number[0])

/** 'CPF 529.982.247-25' → '52998224725': eleven digits, or fourteen characters of a CNPJ, whose digits are right. */
export const readTaxNumber = (text: string): string | undefined => {
  const number = text
    .slice(0, 100)
    .toUpperCase()
    .replaceAll(/[./\- ]+/g, '')
    .replace(/^(?:CPF|CNPJ):?/, '')
  if (isOneCharacter(number)) return undefined
  if (cpf.test(number)) return isChecked(number, 9, 11) ? number : undefined
  return cnpj.test(number) && isChecked(number, 12, 9) ? number : undefined
}

/** '529.982.247-25', '12.ABC.345/01DE-35' */
export const shownTaxNumber = (stored: string): string =>
  stored.length === 11
    ? stored.replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, '$1.$2.$3-$4')
    : stored.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, '$1.$2.$3/$4-$5')

const brazilian = /^(?:55)?([1-9][1-9])(9\d{8}|[2-9]\d{7})$/
const abroad = /^[1-9]\d{7,14}$/

/** With area code; of other countries after a '+'. '(11) 98888-7777' → '5511988887777'. */
export const readPhone = (text: string): string | undefined => {
  const [, plus = '', written] =
    /^(?:[a-zçéúà:]{1,9} ){0,4}(\+|00(?=[1-9]))?([\d\s()./-]{8,30})[.!]?$/i.exec(text.slice(0, 100).trim()) ?? []
  const digits = (written ?? '').replaceAll(/\D/g, '')
  const national = brazilian.exec(plus === '' ? digits.replace(/^0/, '') : digits)
  if (national && (plus === '' || digits.startsWith('55'))) return `55${national[1]}${national[2]}`
  return plus !== '' && !digits.startsWith('55') && abroad.test(digits) ? digits : undefined
}
