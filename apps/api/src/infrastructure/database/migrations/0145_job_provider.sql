-- Of several providers, the one that answered the first query of the job: all its queries go to it, so that no result is made
-- of two. null: none has answered yet, or there is only one.
alter table jobs add column provider text;
