--liquibase formatted sql

--changeset app:1
create table orders (id bigint primary key, customer text);

--changeset app:2
alter table orders add column note text;
