-- `invocations_by_payer` finds a payer's settled calls as well, in a twelfth of the bytes; each sale wrote both.
DROP INDEX settled_calls_by_payer;
