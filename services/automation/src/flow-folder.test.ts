import { specify } from '@prosa/kernel/domain/specify'
import { describe, it } from 'vitest'
import { type FlowFolderEvent, flowFolder } from './flow-folder.ts'

const given = specify(flowFolder)
const texts = { name: 'Vendas', description: 'Do primeiro oi ao pedido' }
const create = { type: 'CreateFlowFolder', data: { ...texts, isSample: false } } as const
const created: FlowFolderEvent = { type: 'FlowFolderCreated', data: create.data }
const describeAs = (change: Partial<typeof texts>) =>
  ({ type: 'DescribeFlowFolder', data: { ...texts, ...change } }) as const
const remove = { type: 'DeleteFlowFolder', data: {} } as const
const deleted: FlowFolderEvent = { type: 'FlowFolderDeleted', data: {} }

describe('a folder of flows', () => {
  it('is made once, however often it is asked, also after it was deleted', () => {
    given().when(create).then(created)
    given(created).when(create).thenNothing()
    given(created, deleted).when(create).thenNothing()
  })
  it('gets another name or description', () => {
    const data = { ...texts, name: 'Vendas 2027' }
    given(created)
      .when(describeAs({ name: 'Vendas 2027' }))
      .then({ type: 'FlowFolderDescribed', data })
    given(created, { type: 'FlowFolderDescribed', data })
      .when(describeAs({ name: 'Vendas 2027' }))
      .thenNothing()
  })
  it('is deleted once', () => {
    given(created).when(remove).then(deleted)
    given(created, deleted).when(remove).thenNothing()
  })
  it('must be there', () => {
    given().when(remove).thenRejected('flow_folder_not_found')
    given().when(describeAs({})).thenRejected('flow_folder_not_found')
    given(created, deleted)
      .when(describeAs({ name: 'Outra' }))
      .thenRejected('flow_folder_not_found')
  })
})
