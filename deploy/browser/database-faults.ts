import type { Category } from '@prosa/contracts/streams'
import type { Product } from '../test/product.ts'

/** A trigger refuses events of these streams: commands fail, reads and other streams go on. */
export const whileRefusingEvents = async (
  { ports: { pool } }: Product,
  categories: readonly Category[],
  use: () => Promise<void>,
): Promise<void> => {
  const streams = categories.map((category) => `new.stream like '${category}-%'`).join(' or ')
  await pool.query(`
    create or replace function es.refuse_event() returns trigger language plpgsql as $$
      begin raise exception 'invalid page in block 7 of relation' using errcode = 'data_corrupted'; end $$;
    create trigger refused before insert on es.event for each row when (${streams}) execute function es.refuse_event()`)
  try {
    await use()
  } finally {
    await pool.query('drop trigger refused on es.event')
  }
}
