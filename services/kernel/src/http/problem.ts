import { type Refusal, refusals } from '@prosa/contracts/refusals'

export interface FieldError {
  field: string
  message: string
}

/** Thrown at the HTTP border only. */
export class Refused extends Error {
  override name = 'Refused'
  readonly refusal: Refusal
  readonly errors: FieldError[] | undefined
  readonly retryAfterSeconds: number | undefined
  readonly limit: number | undefined

  constructor(refusal: Refusal, errors?: FieldError[], retryAfterSeconds?: number, limit?: number) {
    super(refusals[refusal].title)
    this.refusal = refusal
    this.errors = errors
    this.retryAfterSeconds = retryAfterSeconds
    this.limit = limit
  }
}

/** An administrator stated no purpose for this tenant's data; null: for all tenants. */
export class PurposeNeeded extends Refused {
  readonly tenantId: string | null

  constructor(tenantId: string | null) {
    super('purpose_needed')
    this.tenantId = tenantId
  }
}

export const refuse = (refusal: Refusal, errors?: FieldError[]): Refused => new Refused(refusal, errors)
