// Forms learn the time zone.

const zoned = new WeakSet();

export function fillZones() {
  for (const field of document.querySelectorAll("input[data-zone]")) {
    if (!zoned.has(field)) field.value = Intl.DateTimeFormat().resolvedOptions().timeZone || field.value;
    zoned.add(field);
  }
}
