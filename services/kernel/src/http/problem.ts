import { type Refusal, refusals } from '@prosa/contracts/refusals'

export interface FieldError {
  field: string
  message: string
}

/** Thrown at the border only: becomes a problem reply with the refusal's status and Portuguese sentence. */
export class Refused extends Error {
  override name = 'Refused'
  readonly refusal: Refusal
  readonly errors: FieldError[] | undefined
  /** When it makes sense to try again. */
  readonly retryAfterSeconds: number | undefined
  /** Of the plan that was reached. */
  readonly limit: number | undefined

  constructor(refusal: Refusal, errors?: FieldError[], retryAfterSeconds?: number, limit?: number) {
    super(refusals[refusal].title)
    this.refusal = refusal
    this.errors = errors
    this.retryAfterSeconds = retryAfterSeconds
    this.limit = limit
  }
}

/** A refusal, ready to throw; with the refused fields where there are some. */
export const refuse = (refusal: Refusal, errors?: FieldError[]): Refused => new Refused(refusal, errors)
