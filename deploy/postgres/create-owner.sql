-- Runs once, by psql, when the volume of docker-compose.yml's database is new: Prosa owns its database and is no superuser.
-- The superuser keeps no password, so it exists for the container's own socket only.
\getenv password POSTGRES_PASSWORD
create role prosa login nosuperuser nocreatedb nocreaterole password :'password';
create database prosa owner prosa;
alter role postgres password null;
