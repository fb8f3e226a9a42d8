import Box from '@mui/material/Box'

/** One capture group: `split` alternates text and address. */
export const webAddress = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]}'*~`])/

/** The target must not learn where it was opened. */
export const WebAddress = ({ address }: { address: string }) => (
  <Box component="a" href={address} target="_blank" rel="noopener noreferrer" sx={{ color: 'inherit' }}>
    {address}
  </Box>
)
