import { theDatabase } from './platform/database.ts'

const tables = `select format('%I.%I', schemaname, tablename) as name, tablename from pg_tables
  where schemaname in ('public', 'es')`

/** Stores the tables after all services have prepared theirs: the base state of each run. */
export const keepBaseState = async (): Promise<void> => {
  const database = theDatabase()
  await database.ask('create schema base_state')
  await database.ask(`update checkpoint set position = ''`)
  await database.ask('truncate es.event, log_identity')
  for (const { name, tablename } of await database.ask<{ name: string; tablename: string }>(tables))
    await database.ask(`create table base_state.${tablename} as table ${name}`)
  await database.ask(`
    create function base_state.restore() returns void language plpgsql as $$
    declare each record; is_filled boolean;
    begin
      for each in ${tables} order by 1 loop
        execute format('select exists (select from %s)', each.name) into is_filled;
        if is_filled then execute format('truncate %s restart identity cascade', each.name); end if;
      end loop;
      for each in ${tables} order by 1 loop
        execute format('select exists (select from base_state.%I)', each.tablename) into is_filled;
        if is_filled then execute format('insert into %s table base_state.%I', each.name, each.tablename); end if;
      end loop;
    end $$`)
}

export const hasBaseState = async (): Promise<boolean> => {
  const [row] = await theDatabase().ask<{ found: boolean }>(`select to_regnamespace('base_state') is not null as found`)
  return row?.found === true
}

export const restoreBaseState = async (): Promise<void> => {
  await theDatabase().ask('select base_state.restore()')
}
