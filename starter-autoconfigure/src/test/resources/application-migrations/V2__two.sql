create table app_two (id int);
