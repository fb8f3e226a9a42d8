import { specify } from '@prosa/kernel/domain/specify'
import { describe, it } from 'vitest'
import { type DataExportEvent, dataExport } from './data-export.ts'

const given = specify(dataExport)
const contactId = '0b1c2d3e-4f50-4162-8374-95a6b7c8d9e0'
const account: DataExportEvent = { type: 'AccountExported', data: { by: 'user' } }
const contact: DataExportEvent = { type: 'ContactExported', data: { contactId } }

describe('a copy', () => {
  it('of an account is a fact, with who asked', () =>
    given()
      .when({ type: 'ExportAccount', data: { by: 'administrator' } })
      .then({ type: 'AccountExported', data: { by: 'administrator' } }))
  it('of a contact is one too', () => given().when({ type: 'ExportContact', data: { contactId } }).then(contact))
  it('is asked for once, however often the request is repeated', () => {
    given(account)
      .when({ type: 'ExportAccount', data: { by: 'user' } })
      .thenNothing()
    given(contact).when({ type: 'ExportContact', data: { contactId } }).thenNothing()
  })
})
