import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import type { FlowNodeType } from '@prosa/contracts/flows/flow-document'
import { nodeTypeNames } from '@prosa/contracts/flows/node-name'
import { nodeIcons } from './node-icons.ts'
import { nodeTypes } from './node-words.ts'

interface Props {
  /** A button, or where on the screen. */
  anchor: HTMLElement | { x: number; y: number }
  onChoose: (type: FlowNodeType) => void
  onClose: () => void
}

/** Steps that may follow another; a trigger begins a flow. */
const following = nodeTypes.filter((type) => type !== 'trigger')

export const StepMenu = ({ anchor, onChoose, onClose }: Props) => (
  <Menu
    open
    onClose={onClose}
    {...(anchor instanceof HTMLElement
      ? { anchorEl: anchor }
      : { anchorReference: 'anchorPosition', anchorPosition: { left: anchor.x, top: anchor.y } })}
    slotProps={{ list: { 'aria-label': 'Passo seguinte' } }}
  >
    {following.map((type) => {
      const Icon = nodeIcons[type]
      return (
        <MenuItem key={type} onClick={() => onChoose(type)}>
          <Icon aria-hidden="true" />
          {nodeTypeNames[type]}
        </MenuItem>
      )
    })}
  </Menu>
)
