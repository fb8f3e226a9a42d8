import { type Decimal, decimalOf, decimalText, readNumber } from './read-number.ts'

export const calculationFaults = ['syntax', 'not_a_number', 'division_by_zero', 'too_large'] as const

export type CalculationFault = (typeof calculationFaults)[number]
export type Calculated = { value: string } | { fault: CalculationFault; variable?: string }

export const maximumCalculationLength = 200
export const maximumDecimals = 4
const maxDepth = 20
/** Twelve digits before the point, as many as a number that somebody writes may have. */
const maxWhole = 10n ** 12n

type Token = { number: Decimal } | { variable: string } | { sign: '+' | '-' | '*' | '/' | '(' | ')' }

/** A variable, a number as `readNumber` reads it ('1.234' is a thousand), or a sign; x as people write × between numbers. */
const token =
  /\s*(?:\{([a-z][a-z0-9_]{0,39})\}|(\d{1,3}(?:\.\d{3}){1,3}(?:,\d{1,4})?(?!\d)|\d{1,12}(?:[.,]\d{1,4})?)|([-+*/()×÷−x]))/iy

const signs: Readonly<Record<string, '+' | '-' | '*' | '/' | '(' | ')'>> = {
  ...{ '+': '+', '-': '-', '−': '-', '*': '*', '×': '*', x: '*', X: '*', '/': '/', '÷': '/', '(': '(', ')': ')' },
}

class Fault extends Error {
  readonly fault: CalculationFault
  readonly variable: string | undefined
  constructor(fault: CalculationFault, variable?: string) {
    super(fault)
    this.fault = fault
    this.variable = variable
  }
}

const decimalWritten = (text: string): Decimal | undefined => {
  const number = readNumber(text)
  return number === undefined ? undefined : decimalOf(number)
}

const outOfRange = (): never => {
  throw new Fault('too_large')
}

const tokensOf = (expression: string): Token[] => {
  const text = expression.trim()
  if (text === '' || text.length > maximumCalculationLength) throw new Fault('syntax')
  const tokens: Token[] = []
  token.lastIndex = 0
  while (token.lastIndex < text.length) {
    const [, variable, number, sign = ''] = token.exec(text) ?? []
    const known = signs[sign]
    if (variable !== undefined) tokens.push({ variable: variable.toLowerCase() })
    else if (number !== undefined) tokens.push({ number: decimalWritten(number) ?? outOfRange() })
    else if (known) tokens.push({ sign: known })
    else throw new Fault('syntax')
  }
  return tokens
}

const tenTo = (power: number) => 10n ** BigInt(power)
const sizeOf = (units: bigint) => (units < 0n ? -units : units)

/** Half away from zero. */
const divided = (units: bigint, by: bigint): bigint => {
  const [size, divisor] = [sizeOf(units), sizeOf(by)]
  const nearest = (size * 2n + divisor) / (divisor * 2n)
  return units < 0n !== by < 0n ? -nearest : nearest
}

const rounded = ({ units, scale }: Decimal, decimals: number): Decimal =>
  scale <= decimals ? { units, scale } : { units: divided(units, tenTo(scale - decimals)), scale: decimals }

const fitting = (decimal: Decimal): Decimal => {
  const found = rounded(decimal, maximumDecimals)
  if (sizeOf(found.units) >= maxWhole * tenTo(found.scale)) throw new Fault('too_large')
  return found
}

/** '2.5000' → '2.5': no more decimals than either side had, or than it takes. */
const shortened = ({ units, scale }: Decimal, least: number): Decimal =>
  scale > least && units % 10n === 0n ? shortened({ units: units / 10n, scale: scale - 1 }, least) : { units, scale }

const atScale = ({ units, scale }: Decimal, wanted: number) => units * tenTo(wanted - scale)

const apply = (sign: '+' | '-' | '*' | '/', one: Decimal, other: Decimal): Decimal => {
  const scale = Math.max(one.scale, other.scale)
  if (sign === '*') return shortened(fitting({ units: one.units * other.units, scale: one.scale + other.scale }), scale)
  if (sign === '/') {
    if (other.units === 0n) throw new Fault('division_by_zero')
    const units = divided(atScale(one, scale) * tenTo(maximumDecimals), atScale(other, scale))
    return shortened(fitting({ units, scale: maximumDecimals }), scale)
  }
  const right = atScale(other, scale)
  return fitting({ units: atScale(one, scale) + (sign === '+' ? right : -right), scale })
}

/** sum = product (('+' | '-') product)*; product = factor (('*' | '/') factor)*; factor = '-' factor | number | variable | '(' sum ')' */
const evaluator = (tokens: readonly Token[], valueBehind: (variable: string) => Decimal) => {
  let at = 0
  const signAt = () => {
    const each = tokens[at]
    return each && 'sign' in each ? each.sign : undefined
  }
  const factor = (depth: number): Decimal => {
    const each = tokens[at++]
    if (!each || depth > maxDepth) throw new Fault('syntax')
    if ('number' in each) return each.number
    if ('variable' in each) return valueBehind(each.variable)
    if (each.sign === '-') {
      const { units, scale } = factor(depth + 1)
      return { units: -units, scale }
    }
    if (each.sign !== '(') throw new Fault('syntax')
    const inner = sum(depth + 1)
    if (signAt() !== ')') throw new Fault('syntax')
    at++
    return inner
  }
  const product = (depth: number): Decimal => {
    let value = factor(depth)
    for (let sign = signAt(); sign === '*' || sign === '/'; sign = signAt()) {
      at++
      value = apply(sign, value, factor(depth))
    }
    return value
  }
  const sum = (depth: number): Decimal => {
    let value = product(depth)
    for (let sign = signAt(); sign === '+' || sign === '-'; sign = signAt()) {
      at++
      value = apply(sign, value, product(depth))
    }
    return value
  }
  const value = sum(0)
  if (at < tokens.length) throw new Fault('syntax')
  return value
}

const outcomeOf = (work: () => string): Calculated => {
  try {
    return { value: work() }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { fault: error.fault, ...(error.variable !== undefined && { variable: error.variable }) }
  }
}

/** Exactly so many decimals; null: as many as it takes. */
const withDecimals = (decimal: Decimal, decimals: number | null): Decimal => {
  if (decimals === null) return shortened(decimal, 0)
  const { units, scale } = fitting(rounded(decimal, decimals))
  return { units: units * tenTo(decimals - scale), scale: decimals }
}

/**
 * '{quantidade} * {preco} + 10' with values as people write them → '31.00', as numbers are stored. Exact, each step with at most four decimals and
 * twelve digits before them. A variable that is no number, also an empty one, is a fault that names it.
 */
export const calculate = (
  expression: string,
  values: Readonly<Record<string, string>>,
  decimals: number | null = null,
): Calculated =>
  outcomeOf(() => {
    const result = evaluator(tokensOf(expression), (variable) => {
      const decimal = Object.hasOwn(values, variable) ? decimalWritten(values[variable] ?? '') : undefined
      if (!decimal) throw new Fault('not_a_number', variable)
      return decimal
    })
    return decimalText(withDecimals(result, decimals))
  })

/** Undefined unless it can be read; its variables, each once. */
export const variablesOfCalculation = (expression: string): string[] | undefined => {
  const variables = new Set<string>()
  const outcome = outcomeOf(() => {
    // Ones: neither zero to divide by nor too large.
    evaluator(tokensOf(expression), (variable) => {
      variables.add(variable)
      return { units: 1n, scale: 0 }
    })
    return ''
  })
  return 'fault' in outcome && outcome.fault === 'syntax' ? undefined : [...variables]
}
