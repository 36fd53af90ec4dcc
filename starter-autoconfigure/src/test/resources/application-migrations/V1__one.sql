create table app_one (id int);
