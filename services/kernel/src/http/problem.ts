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

/** An administrator did not say yet why they need to see the data of this tenant; null: of all of them. */
export class PurposeNeeded extends Refused {
  readonly tenantId: string | null

  constructor(tenantId: string | null) {
    super('purpose_needed')
    this.tenantId = tenantId
  }
}

/** A refusal, ready to throw; with the refused fields where there are some. */
export const refuse = (refusal: Refusal, errors?: FieldError[]): Refused => new Refused(refusal, errors)
