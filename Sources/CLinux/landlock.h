#ifndef CISOLATION_LANDLOCK_H
#define CISOLATION_LANDLOCK_H

#include "CIsolation.h"

// Restricts this process and what it executes; the bits that are active then.
uint32_t avt_landlock_restrict(const avt_worker *worker);

// Restricts it once more: nothing is executed from now on, and nobody outside is signalled.
void avt_landlock_restrict_further(void);

#endif
