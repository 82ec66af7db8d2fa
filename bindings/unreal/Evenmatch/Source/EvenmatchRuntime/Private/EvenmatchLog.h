// The log category of the plugin. Included by its .cpp files.
#pragma once

#include "CoreMinimal.h"
#include "Logging/LogMacros.h"

DECLARE_LOG_CATEGORY_EXTERN(LogEvenmatch, Log, All);
