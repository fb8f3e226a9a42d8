import Box from '@mui/material/Box'

/** Matches addresses in a text, so that `split` gives text and address by turns. */
export const webAddress = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]}'*~`])/

/** An address in a message: what opens never learns where it was opened. */
export const WebAddress = ({ address }: { address: string }) => (
  <Box component="a" href={address} target="_blank" rel="noopener noreferrer" sx={{ color: 'inherit' }}>
    {address}
  </Box>
)
