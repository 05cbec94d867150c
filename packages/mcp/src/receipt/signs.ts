/** Signs that are written as an apostrophe, as the body of a character class. */
export const apostrophes = "'\\u2018-\\u201b\\u2039\\u203a\\u2032\\u2035\\u02bc\\u00b4\\u0060\\uff07\\u055a\\u1fbf";

/** Hyphens and minus signs, as the body of a character class. Longer dashes stand between words. */
export const hyphens = '\\-\\u058a\\u05be\\u2010-\\u2013\\u2212\\ufe58\\ufe63\\uff0d';
