# The imported targets. Included by evenmatch-config.cmake and by the build from sources, which say where
# things are: evenmatch_include (headers), evenmatch_lib (libraries), evenmatch_bin (DLLs).
#
# A program may hold only one Rust library that is linked statically; with a second one use the shared target.

# What a static Rust library stands on: `cargo rustc .. --crate-type staticlib -- --print native-static-libs`.
if(WIN32)
  set(evenmatch_static_libs kernel32 ntdll userenv ws2_32 dbghelp)
elseif(APPLE)
  set(evenmatch_static_libs iconv System c m)
else()
  set(evenmatch_static_libs gcc_s util rt pthread m dl c)
endif()
string(REGEX REPLACE "([^;]+)" "-l\\1" evenmatch_static_flags "${evenmatch_static_libs}")
string(REPLACE ";" " " evenmatch_static_flags "${evenmatch_static_flags}")

if(NOT TARGET evenmatch::evenmatch)
  add_library(evenmatch::evenmatch SHARED IMPORTED GLOBAL)
  if(WIN32)
    set_target_properties(evenmatch::evenmatch PROPERTIES
      IMPORTED_LOCATION "${evenmatch_bin}/evenmatch.dll"
      IMPORTED_IMPLIB "${evenmatch_lib}/evenmatch.dll.lib"
      INTERFACE_COMPILE_DEFINITIONS EVENMATCH_SHARED)
  elseif(APPLE)
    set_target_properties(evenmatch::evenmatch PROPERTIES
      IMPORTED_LOCATION "${evenmatch_lib}/libevenmatch.dylib"
      IMPORTED_SONAME "@rpath/libevenmatch.dylib")
  else()
    set_target_properties(evenmatch::evenmatch PROPERTIES
      IMPORTED_LOCATION "${evenmatch_lib}/libevenmatch.so"
      IMPORTED_SONAME libevenmatch.so)
  endif()
  set_target_properties(evenmatch::evenmatch PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${evenmatch_include}")
endif()

if(NOT TARGET evenmatch::static)
  add_library(evenmatch::static STATIC IMPORTED GLOBAL)
  if(WIN32)
    set(evenmatch_static_name evenmatch.lib)
  else()
    set(evenmatch_static_name libevenmatch.a)
  endif()
  set_target_properties(evenmatch::static PROPERTIES
    IMPORTED_LOCATION "${evenmatch_lib}/${evenmatch_static_name}"
    INTERFACE_LINK_LIBRARIES "${evenmatch_static_libs}"
    INTERFACE_INCLUDE_DIRECTORIES "${evenmatch_include}")
endif()
