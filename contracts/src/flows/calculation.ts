import { z } from 'zod'
import {
  type CalculationFault,
  calculate,
  calculationFaults,
  variablesOfCalculation,
} from '../values/answers/calculate.ts'
import type { FlowNodeOf } from './flow-document.ts'

/** What a run records of a calculation: a value, or why there is none. */
export const calculationFault = z.enum(calculationFaults)

const faults: Record<CalculationFault, string> = {
  syntax: 'a conta não está completa',
  not_a_number: 'uma variável não é um número',
  division_by_zero: 'não dá para dividir por zero',
  too_large: 'o resultado tem mais de 12 algarismos',
}

/** '{peso} não é um número'; `about` is a variable. */
export const faultWords = (fault: CalculationFault, about?: string): string =>
  fault === 'not_a_number' && about !== undefined ? `{${about}} não é um número` : faults[fault]

/** A sentence for its field; undefined if it can be calculated for some values. */
export const faultOfExpression = (expression: string): string | undefined => {
  if (expression.trim() === '') return 'Escreva a conta, como {quantidade} * {preco}.'
  const variables = variablesOfCalculation(expression)
  if (!variables) return 'Use números, variáveis, + − × ÷ e parênteses, como ({quantidade} + 1) * 2,50.'
  const fixed = variables.length === 0 ? calculate(expression, {}) : { value: '' }
  return 'fault' in fixed ? `A conta não dá certo: ${faultWords(fixed.fault)}.` : undefined
}

/** It may leave by 'Deu errado'. */
export const canFail = ({ data }: FlowNodeOf<'calculation'>): boolean =>
  (variablesOfCalculation(data.expression)?.length ?? 0) > 0
