/** Why a page was not read. */
export const pageErrors = [
  "web_target_forbidden",
  "web_page_unsupported",
  "web_page_unavailable",
  "overloaded",
  "shutting_down",
] as const;
