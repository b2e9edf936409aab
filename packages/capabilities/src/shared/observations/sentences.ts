/** What reasons about changes since an earlier observation say, for the capabilities that share them. */
export const observationSentences = {
  UNCHANGED: "Nothing that is compared has changed since the earlier observation.",
  CODE_CHANGED: "The code at the address has changed since the earlier observation.",
  IMPLEMENTATION_CHANGED: "The implementation behind the address has changed since the earlier observation.",
  ADMIN_CHANGED: "The proxy admin has changed since the earlier observation.",
  BEACON_CHANGED: "The beacon has changed since the earlier observation.",
  FIELD_UNREAD: "Something that is compared could not be read now.",
  EARLIER_FIELD_UNREAD: "Something that is compared had not been read at the earlier observation.",
} as const;
