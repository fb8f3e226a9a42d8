import type { SimulatorProblem } from '@prosa/contracts/http/simulator'
import type { FastifyReply } from 'fastify'
import type { z } from 'zod'

export class Refusal extends Error {
  readonly statusCode: number
  readonly errors: SimulatorProblem['errors']

  constructor(statusCode: number, sentence: string, field?: string) {
    super(sentence)
    this.statusCode = statusCode
    this.errors = field ? [{ field, message: sentence }] : []
  }
}

class InvalidInput extends Refusal {
  override readonly errors: SimulatorProblem['errors']

  constructor(errors: SimulatorProblem['errors']) {
    super(422, 'Confira os campos destacados.')
    this.errors = errors
  }
}

/** Throws a Refusal with every invalid field. */
export function parse<T extends z.ZodType>(schema: T, input: unknown): z.output<T> {
  const parsed = schema.safeParse(input ?? {})
  if (parsed.success) return parsed.data
  throw new InvalidInput(parsed.error.issues.map(({ path, message }) => ({ field: path.join('.'), message })))
}

export function answerProblem(error: Error & { statusCode?: number }, reply: FastifyReply) {
  const problem = (status: number, title: string, errors: SimulatorProblem['errors'] = []) =>
    reply.code(status).send({ title, errors } satisfies SimulatorProblem)
  if (error instanceof Refusal) return problem(error.statusCode, error.message, error.errors)
  if (error.statusCode === 413) return problem(413, 'O conteúdo enviado é grande demais.')
  if (error.statusCode !== undefined && error.statusCode < 500) {
    return problem(error.statusCode, 'O pedido não pôde ser lido.')
  }
  throw error
}
